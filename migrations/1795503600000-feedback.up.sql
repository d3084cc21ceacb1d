-- What was asked lately, so that feedback can name it by the id of its request.
create table queries (
  account_id uuid not null references accounts (id),
  request_id uuid not null,
  database_id integer not null,
  query text not null,
  source_ids text[] not null,
  asked_at timestamptz not null
);
create index queries_request on queries (account_id, request_id);
create index queries_age on queries (asked_at);
create index queries_database on queries (database_id);

create table feedback (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  database_id integer not null,
  request_id uuid not null,
  query text not null,
  source_ids text[] not null,
  collection text,
  feedback text,
  ground_truth jsonb,
  rating text,
  source text,
  metadata jsonb not null,
  created_at timestamptz not null
);
create index feedback_database on feedback (database_id, created_at);
