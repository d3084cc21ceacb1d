-- Templates of the graph; a database has tables like them per corpus. A row belongs to a version of an item and is seen
-- and removed with it; nothing is shared between versions, so that writers meet nowhere but on positions.

-- What one item says of two entities, by chunk. `position` orders a collection newest first and is the cursor of a page.
create table relation_groups (
  database_id integer not null,
  collection_id integer not null,
  source_uid bigint not null,
  position bigint not null,
  stated_at timestamptz not null,
  chunk_uuid uuid,
  source_entity uuid not null,
  target_entity uuid not null,
  source jsonb not null,
  target jsonb not null,
  relations jsonb not null,
  constraint relation_groups_template check (false)
);
create unique index on relation_groups (collection_id, position);
create index on relation_groups (source_uid, position);
create index on relation_groups (source_entity);
create index on relation_groups (target_entity);
create index on relation_groups (chunk_uuid) where chunk_uuid is not null;

-- What an item is connected with. `key` is the digest of what both ends name: 0, the item goes by this name in another
-- application; 1, it links to what goes by it; 2, it stands in this thread; 3, it has to do with this person or part.
create table item_links (
  database_id integer not null,
  collection_id integer not null,
  source_uid bigint not null,
  position bigint not null,
  stated_at timestamptz not null,
  role smallint not null,
  key uuid not null,
  predicate text not null,
  raw_predicate text not null,
  target jsonb not null,
  constraint item_links_template check (false)
);
create index on item_links (source_uid, role);
create index on item_links (key, role, stated_at, source_uid);
create index on item_links (collection_id, position);

-- Which entities an item names, once by name and once by each alias. What names two entities alike is one entity by its
-- id, which is a digest of what tells it from others; so resolving needs no lock.
create table entity_mentions (
  database_id integer not null,
  collection_id integer not null,
  source_uid bigint not null,
  entity_id uuid not null,
  is_alias boolean not null,
  chunks integer[] not null,
  name_key text collate "C" not null,
  name text not null,
  type text not null,
  namespace text not null,
  identifier text,
  provider text not null,
  constraint entity_mentions_template check (false)
);
-- Plain, where that spares a store the table and the index of values kept out of line: all are short.
alter table entity_mentions
  alter column chunks set storage plain, alter column name_key set storage plain, alter column name set storage plain,
  alter column type set storage plain, alter column namespace set storage plain,
  alter column identifier set storage plain, alter column provider set storage plain;
create index on entity_mentions (source_uid);
create index on entity_mentions (entity_id);
create index on entity_mentions (collection_id, name_key);

do $$
declare
  store record;
begin
  for store in
    select d.id || '_' || c.corpus as name
      from databases d, unnest(array['knowledge', 'memory']) as c(corpus)
     where to_regclass(format('chunks_%s_%s', d.id, c.corpus)) is not null
  loop
    execute format('create table %I (like relation_groups including defaults including indexes including storage)',
      'relation_groups_' || store.name);
    execute format('create table %I (like item_links including defaults including indexes including storage)',
      'item_links_' || store.name);
    execute format('create table %I (like entity_mentions including defaults including indexes including storage)',
      'entity_mentions_' || store.name);
  end loop;
end $$;

-- Items that were indexed before get their graph as those do whose worker died before it was built.
update sources set indexing_status = 'graph_creation', next_attempt_at = now(), attempts = 0
 where latest and visible and indexing_status = 'completed';
