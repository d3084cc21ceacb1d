do $$
declare
  store record;
begin
  for store in
    select relname from pg_class
     where relkind = 'r' and relname ~ '^(relation_groups|item_links|entity_mentions)_\d+_(knowledge|memory)$'
  loop
    execute format('drop table %I', store.relname);
  end loop;
end $$;
drop table relation_groups, item_links, entity_mentions;
update sources set indexing_status = 'completed' where indexing_status = 'graph_creation' and visible;
