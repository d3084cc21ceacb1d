-- The tables of a store stand alone: attaching a partition reads the bounds of all the others, so that creating a
-- database cost the more the more there were. What was partitioned becomes the template of these tables.
do $$
declare
  attached record;
begin
  for attached in
    select inhparent::regclass as template, inhrelid::regclass as partition,
           case when inhdetachpending then 'finalize' else '' end as mode
      from pg_inherits
     where inhparent in ('chunks'::regclass, 'chunk_vectors'::regclass, 'term_frequencies'::regclass)
  loop
    execute format('alter table %s detach partition %s %s', attached.template, attached.partition, attached.mode);
  end loop;
end $$;

-- Templates hold no rows: a write that does not name its store's table must fail.
alter table chunks rename to partitioned_chunks;
create table chunks (like partitioned_chunks including defaults, constraint chunks_template check (false));
drop table partitioned_chunks;
create unique index on chunks (id);
create index on chunks (source_uid, position);
-- Without a list of pending entries: it would be read whole by every search until a vacuum empties it.
create index on chunks using gin (terms) with (fastupdate = off);

-- Columns are plain where that spares a store the table and the index of values kept out of line.
alter table chunk_vectors rename to partitioned_chunk_vectors;
create table chunk_vectors (
  like partitioned_chunk_vectors including defaults, constraint chunk_vectors_template check (false));
drop table partitioned_chunk_vectors;
alter table chunk_vectors alter column corpus set storage plain, alter column embedding set storage plain;
create index on chunk_vectors (source_uid);
create index on chunk_vectors (collection_id);

alter table term_frequencies rename to partitioned_term_frequencies;
create table term_frequencies (
  like partitioned_term_frequencies including defaults, constraint term_frequencies_template check (false));
drop table partitioned_term_frequencies;
alter table term_frequencies alter column corpus set storage plain;
create index on term_frequencies (term) include (amount);
create index on term_frequencies (term) where not folded;

-- Databases are worked on in turn, so that none waits for another's to end.
drop index databases_to_work_on;
create index databases_to_work_on on databases (status, updated_at) where status in ('accepted', 'deleting');
