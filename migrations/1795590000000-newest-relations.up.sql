-- The newest relations of an entity, and the first of a chunk, are looked up in their order: a hub has thousands.
do $$
declare
  store record;
  index record;
begin
  for store in
    select oid, oid::regclass::text as name from pg_class
     where relkind = 'r' and relname ~ '^relation_groups(_\d+_(knowledge|memory))?$'
  loop
    for index in
      select i.indexrelid::regclass::text as name from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
       where i.indrelid = store.oid and i.indnatts = 1 and a.attname in ('source_entity', 'target_entity', 'chunk_uuid')
    loop
      execute format('drop index %s', index.name);
    end loop;
    execute format('create index on %s (source_entity, position)', store.name);
    execute format('create index on %s (target_entity, position)', store.name);
    execute format('create index on %s (chunk_uuid, position) where chunk_uuid is not null', store.name);
  end loop;
end $$;
