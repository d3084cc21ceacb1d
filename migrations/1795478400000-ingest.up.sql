-- What app items carry, and what is shown and filtered of them without opening `app`.
alter table sources
  add column app jsonb,
  add column type text,
  add column description text,
  add column url text,
  add column item_time timestamptz,
  add column app_kind text,
  add column app_provider text,
  add column app_external_id text,
  add column app_parent_id text,
  add column app_thread_id text;
create index sources_external on sources (database_id, collection_id, corpus, app_provider, app_external_id)
  where app_external_id is not null;

-- A graph that came with the item replaces extraction; later versions inherit it.
alter table sources add column supplied_graph jsonb;

-- Preferences, facts and decisions are to be extracted.
alter table sources add column infer boolean not null default false;

-- From then on no read shows the item, and a job removes it.
alter table sources add column expires_at timestamptz;
create index sources_expiring on sources (expires_at) where expires_at is not null and (latest or visible);

-- Fairness: databases take turns, in each the lowest queue_at goes first; it is the time of acceptance plus what the
-- size of the request adds. Large items have a worker of their own.
alter table sources
  add column queue_at timestamptz,
  add column large boolean not null default false,
  add column blocked_since timestamptz;
update sources set queue_at = created_at, large = content_bytes > 1000000;
alter table sources alter column queue_at set not null, alter column large drop default;
drop index sources_queue;
create index sources_queue on sources (large, database_id, queue_at, uid)
  where latest and indexing_status in ('queued', 'processing', 'graph_creation');
-- Held by a dependency that fails.
create index sources_blocked on sources (blocked_since) where blocked_since is not null;

-- What was extracted from versions. Facts of one key speak about the same thing: the latest of the items that are
-- visible stands, the others are superseded by it or said again. Values are compared without what spelling and inflection
-- add. A fact that denies its value ("no longer lives in Oslo") contradicts only who affirms that very value.
create table facts (
  database_id integer not null,
  source_uid bigint not null,
  position integer not null,
  collection_id integer not null,
  corpus text not null,
  kind text not null check (kind in ('preference', 'fact', 'decision')),
  key text not null,
  value_key text not null,
  negated boolean not null,
  subject text not null,
  attribute text not null,
  value text not null,
  statement text not null,
  evidence text not null,
  confidence real not null,
  origin text not null check (origin in ('rules', 'model')),
  observed_at timestamptz not null,
  primary key (database_id, source_uid, position)
);
-- The key first: whoever asks for a key has no use for another index, and whoever asks for a version none for this one,
-- whatever the planner believes of either. The last fact of a key is read from the end.
create index facts_key on facts (key, collection_id, corpus, database_id, observed_at, source_uid, position);

-- Vectors of a paid or remote model by what they were made of, so that unchanged text costs nothing again.
create table embedding_cache (
  database_id integer not null,
  digest bytea not null,
  vector bytea not null,
  used_at timestamptz not null,
  primary key (database_id, digest)
);
create index embedding_cache_age on embedding_cache (used_at);
