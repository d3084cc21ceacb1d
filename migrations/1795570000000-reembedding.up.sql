-- The vectors of a database are those of one model. Those of another are another generation, in tables of their own
-- (chunk_vectors_<database>_<corpus>_g<generation>; generation 0 has no suffix) and in rows of their own.
-- `reembedding` is how far the making of a new generation has come, and is due at `reembedding_due_at`.
alter table databases
  add column vector_generation integer not null default 0,
  add column reembedding jsonb,
  add column reembedding_due_at timestamptz;
create index databases_to_reembed on databases (reembedding_due_at) where reembedding_due_at is not null;

alter table vector_indexes
  add column generation integer not null default 0,
  drop constraint vector_indexes_pkey,
  add primary key (database_id, corpus, generation);

alter table metadata_vectors
  add column generation integer not null default 0,
  drop constraint metadata_vectors_pkey,
  add primary key (database_id, source_uid, generation, field);
