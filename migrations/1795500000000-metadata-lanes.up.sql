-- The metadata fields of versions that have a dense or sparse lane, one row per value. `digest` says of which value:
-- where it is not that of the version's value now, the row is stale.
create table metadata_vectors (
  database_id integer not null,
  source_uid bigint not null,
  field text not null,
  digest bytea not null,
  embedding vector,
  terms integer[],
  keyword sparsevec,
  primary key (database_id, source_uid, field)
);
-- In the row while it fits a page: the lane reads every vector of its scope.
alter table metadata_vectors alter column embedding set storage main;
