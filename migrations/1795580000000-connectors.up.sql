create table connectors (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  database_id integer not null references databases (id) on delete cascade,
  provider text not null,
  name text not null,
  collection text not null,
  provider_account_scope text not null,
  auth_type text not null,
  -- Sealed with a key that Postgres does not hold; null once it has been erased.
  credentials bytea,
  custom_instructions text not null,
  sync_interval_seconds integer not null,
  paused_at timestamptz,
  needs_reauth_at timestamptz,
  needs_reauth_reason text not null default '',
  sync_blocked_at timestamptz,
  sync_blocked_reason text not null default '',
  -- Of the last sync; what it says can be told to users.
  last_error text not null default '',
  last_error_at timestamptz,
  last_error_retryable boolean not null default true,
  -- Syncs in a row of which nothing came.
  failures integer not null default 0,
  next_sync_at timestamptz not null,
  -- Of the first sync that sent objects.
  first_sync_at timestamptz,
  last_attempted_sync_at timestamptz,
  last_successful_sync_at timestamptz,
  documents_dispatched bigint not null default 0,
  -- The sync under way, in slices: between them `step_at` says when it goes on, during one a lease whose it is.
  run_id uuid,
  run_started_at timestamptz,
  run_objects integer not null default 0,
  step_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  -- Deleted: invisible, until the background has removed what belongs to it; with `purge` the synced items too.
  deleted_at timestamptz,
  purge boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index connectors_account on connectors (account_id, created_at, id) where deleted_at is null;
create index connectors_database on connectors (database_id);
create index connectors_due on connectors ((coalesce(step_at, next_sync_at)))
  where deleted_at is null and paused_at is null and needs_reauth_at is null and sync_blocked_at is null;
create index connectors_deleted on connectors (deleted_at) where deleted_at is not null;

create table connector_resources (
  connector_id uuid not null references connectors (id) on delete cascade,
  resource_id text not null,
  resource_type text not null,
  display_name text not null,
  status text not null check (status in ('active', 'completed', 'failed')),
  -- Null: those of the connector.
  database_id integer references databases (id) on delete cascade,
  collection text,
  custom_instructions text,
  provider_metadata jsonb,
  filters jsonb not null,
  metadata jsonb not null,
  additional_metadata jsonb not null,
  acl text[],
  sync_mode text not null check (sync_mode in ('rescan', 'new_only')),
  lookback_days integer not null default 30,
  backfill_oldest timestamptz not null,
  -- Where reading goes on.
  cursor text not null default '',
  first_synced_at timestamptz,
  -- Counts the walks through all that exists; items carry the last one that showed them.
  walk integer not null default 0,
  -- Of the walk under way; null: none is.
  walk_cursor text,
  walked_at timestamptz,
  -- Who the provider says may read what has no list of its own.
  provider_acl text[],
  -- Access lists of items are behind what is said here.
  acl_pending boolean not null default false,
  health text not null default 'checking' check (health in ('ok', 'empty', 'failed', 'checking', 'unknown')),
  message text not null default '',
  retryable boolean not null default true,
  http_status integer,
  checked_at timestamptz,
  objects_seen bigint not null default 0,
  sync_blocked_at timestamptz,
  -- Whether `read` is between two pages.
  reading boolean not null default false,
  -- The last syncs that have begun with it, that have read it to the end, and that are through with it.
  step_run uuid,
  read_run uuid,
  done_run uuid,
  -- Tries that failed in this sync, and when the next is due.
  attempts integer not null default 0,
  retry_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (connector_id, resource_id)
);
create index connector_resources_database on connector_resources (database_id) where database_id is not null;
create index connector_resources_acl on connector_resources (connector_id) where acl_pending;

-- What was synced, and where it went. It outlives its resource: a purge removes what any resource has brought.
create table connector_items (
  connector_id uuid not null references connectors (id) on delete cascade,
  resource_id text not null,
  item_id text not null,
  database_id integer not null references databases (id) on delete cascade,
  collection text not null,
  -- As the provider tells versions; null when it does not.
  version text,
  -- Of the content that was sent; empty until it has been.
  digest bytea not null,
  -- Who may read it as the provider says; null: as the resource says.
  readers text[],
  -- The access list that it has been given, null for everyone.
  acl text[],
  walk integer not null,
  -- To be deleted.
  gone boolean not null default false,
  gone_retry_at timestamptz,
  synced_at timestamptz not null,
  primary key (connector_id, resource_id, database_id, collection, item_id)
);
create index connector_items_gone on connector_items (connector_id) where gone;
-- Whether another resource holds the same item.
create index connector_items_item on connector_items (database_id, item_id);

-- Syncs that an account has begun, by day (UTC).
create table connector_syncs (
  account_id uuid not null references accounts (id),
  day date not null,
  count integer not null,
  primary key (account_id, day)
);
