-- Which vector index of a store is live: chunks up to `indexed_up_to` are found through it, later ones are scanned.
-- `wide_collections` held too many chunks for exact scanning when it was built; `candidates` is how many neighbours a
-- search has to look at to find what a scan finds, as measured then.
create table vector_indexes (
  database_id integer not null,
  corpus text not null,
  indexed_up_to bigint not null,
  indexed_rows integer not null,
  wide_collections integer[] not null,
  candidates integer not null,
  built_at timestamptz not null,
  primary key (database_id, corpus)
);
