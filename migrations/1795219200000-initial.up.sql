create extension if not exists vector;

create table accounts (
  id uuid primary key,
  name text not null unique,
  created_at timestamptz not null
);

create table api_keys (
  prefix text primary key,
  account_id uuid not null references accounts (id),
  secret_hash bytea not null,
  name text not null,
  scopes text[] not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null
);

create table databases (
  id integer generated always as identity primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  status text not null check (status in ('accepted', 'ready', 'failed', 'deleting')),
  metadata_schema jsonb,
  embeddings_dimension integer not null,
  embedding_model text not null,
  vector_dimensions integer not null,
  is_embeddings_tenant boolean not null,
  scheduler_ready boolean not null,
  graph_ready boolean not null,
  knowledge_ready boolean not null,
  memories_ready boolean not null,
  error text not null,
  lease_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (account_id, name)
);
create index databases_to_work_on on databases (id) where status in ('accepted', 'deleting');

create table collections (
  id integer generated always as identity primary key,
  database_id integer not null references databases (id),
  name text not null,
  deleting boolean not null,
  created_at timestamptz not null
);
create unique index collections_name on collections (database_id, name) where not deleting;
create index collections_to_purge on collections (id) where deleting;

-- One row is one version of an item. `latest` marks the version whose indexing status is the item's,
-- `visible` the one that readers see; a row with neither is old and waits for its removal.
create table sources (
  database_id integer not null,
  uid bigint generated always as identity,
  collection_id integer not null,
  corpus text not null check (corpus in ('knowledge', 'memory')),
  id text not null,
  latest boolean not null,
  visible boolean not null,
  indexing_status text not null
    check (indexing_status in ('queued', 'processing', 'graph_creation', 'completed', 'errored')),
  error_code text not null,
  error_message text not null,
  status_updated_at timestamptz not null,
  attempts integer not null,
  next_attempt_at timestamptz not null,
  lease_token uuid,
  lease_until timestamptz,
  title text not null,
  filename text,
  content_type text,
  content_bytes bigint not null,
  storage_key text,
  memory jsonb,
  metadata jsonb not null,
  additional_metadata jsonb not null,
  declared_relations jsonb,
  evidence_kind text,
  evidence_subject text,
  chunk_count integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (database_id, uid)
);
create unique index sources_latest on sources (database_id, collection_id, corpus, id) where latest;
create unique index sources_visible on sources (database_id, collection_id, corpus, id) where visible;
create index sources_queue on sources (next_attempt_at, uid)
  where latest and indexing_status in ('queued', 'processing', 'graph_creation');
create index sources_old_versions on sources (database_id, uid) where not latest and not visible;

create sequence chunk_ids;

-- Partitioned by (database_id, corpus): a database's partitions are its store of knowledge and of memories.
create table chunks (
  database_id integer not null,
  corpus text not null,
  id bigint not null,
  source_uid bigint not null,
  collection_id integer not null,
  position integer not null,
  chunk_uuid uuid not null,
  content text not null,
  layout jsonb not null,
  terms integer[] not null,
  term_counts integer[] not null,
  length integer not null,
  average_length_step smallint not null,
  keyword sparsevec not null
) partition by range (database_id, corpus);

-- Apart from chunks and narrow, because it is scanned whole.
create table chunk_vectors (
  database_id integer not null,
  corpus text not null,
  chunk_id bigint not null,
  source_uid bigint not null,
  collection_id integer not null,
  embedding vector not null
) partition by range (database_id, corpus);

-- Append-only counters, so that writers never wait for one another: the sum over a term is its number of
-- chunks. Term 0 counts chunks, term -1 their terms. `folded` rows are sums made in the background.
create table term_frequencies (
  database_id integer not null,
  corpus text not null,
  term integer not null,
  amount bigint not null,
  folded boolean not null
) partition by range (database_id, corpus);

-- The step of average chunk length that keyword weights of a store are written with.
create table keyword_averages (
  database_id integer not null,
  corpus text not null,
  average_length_step smallint not null,
  primary key (database_id, corpus)
);
