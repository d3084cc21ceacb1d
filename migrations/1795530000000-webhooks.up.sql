-- One registration an account. Secrets are sealed with a key that Postgres does not hold.
create table webhooks (
  account_id uuid primary key references accounts (id),
  url text not null,
  event_types text[] not null,
  statuses text[] not null,
  signing_secret bytea,
  -- Signs beside the new one until then.
  previous_secret bytea,
  previous_until timestamptz,
  -- What was queued before was meant for a registration that has been deleted.
  registered_at timestamptz not null,
  updated_at timestamptz not null
);

-- Written by the statements that change indexing statuses, so rows are narrow and refer to nothing.
create table webhook_deliveries (
  account_id uuid not null,
  -- Begins with the time in which it was made, and within that with the sequence.
  id uuid not null,
  database_id integer not null,
  -- The version: sequences count the changes of one.
  source_uid bigint not null,
  -- Of the first change of a version: the one that it replaces, whose changes are told before.
  previous_uid bigint,
  sequence smallint not null,
  corpus text not null,
  collection text not null,
  doc_id text not null,
  indexing_status text not null,
  item_error_code text not null,
  item_error_message text not null,
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed', 'permanently_failed')),
  -- All that were made, and those since it was last queued.
  attempts integer not null default 0,
  tries integer not null default 0,
  -- Of a delivery under a lease: when the lease ends.
  next_attempt_at timestamptz not null,
  lease_token uuid,
  error_code text not null default '',
  error_message text not null default '',
  attempt_log jsonb not null default '[]',
  queued_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index webhook_deliveries_due on webhook_deliveries (account_id, next_attempt_at)
  where status in ('pending', 'failed');
-- Numbers of versions grow, so rows are appended; a digest of the item cost as much as all else of an insertion.
create index webhook_deliveries_version on webhook_deliveries (database_id, source_uid);
create index webhook_deliveries_previous on webhook_deliveries (database_id, previous_uid)
  where previous_uid is not null;
