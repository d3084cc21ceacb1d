-- All entities that bear a name are found one after another, however many items mention each.
-- A thousand tables at a time: each holds a lock.
do $$
declare
  mentions record;
  altered int := 0;
begin
  for mentions in
    select i.indrelid::regclass as name, i.indexrelid::regclass as names
      from pg_index i join pg_class t on t.oid = i.indrelid
     where t.relnamespace = 'public'::regnamespace and t.relname ~ '^entity_mentions(_\d+_(knowledge|memory))?$'
       and pg_get_indexdef(i.indexrelid) like '%(collection_id, name_key)'
  loop
    execute format('create index on %s (collection_id, name_key, entity_id)', mentions.name);
    execute format('drop index %s', mentions.names);
    altered := altered + 1;
    if altered % 1000 = 0 then
      commit;
    end if;
  end loop;
end $$;
