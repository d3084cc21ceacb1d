-- A plan that has been withdrawn refuses writes (PLAN_DEPRECATED_URL).
alter table accounts add column plan text not null default 'free' check (plan in ('free', 'paid'));

-- Null: the key may touch every database of its account, and answers as nobody in particular.
alter table api_keys add column databases text[];
alter table api_keys add column principals text[];
create index api_keys_account on api_keys (account_id, created_at, prefix);

-- Stores that could not be removed after a failed provisioning: the database has to be deleted first.
alter table databases add column rollback_failed boolean not null default false;

-- Null: everyone; empty: nobody; else callers with one of these principals.
alter table sources add column acl text[];

-- One window of a minute per key; processes take tokens from it in blocks.
create table rate_windows (
  bucket text primary key,
  started_at timestamptz not null,
  taken integer not null,
  granted integer not null
);

-- What was answered to a request with an Idempotency-Key; without an answer, the request is under way until its lease ends.
create table idempotency_keys (
  account_id uuid not null references accounts (id),
  key text not null,
  request_hash bytea not null,
  id_seed bytea not null,
  lease_until timestamptz not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
