-- Entities are found by how any word of a name begins.
create index if not exists entity_mentions_words on entity_mentions using gin (to_tsvector('simple', name_key)) with (fastupdate = off);
-- A thousand stores at a time: each holds a lock.
do $$
declare
  store record;
  altered int := 0;
begin
  for store in
    select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname ~ '^entity_mentions_\d+_(knowledge|memory)$'
  loop
    execute format('create index if not exists %I on %I using gin (to_tsvector(''simple'', name_key)) with (fastupdate = off)',
      store.name || '_words', store.name);
    altered := altered + 1;
    if altered % 1000 = 0 then
      commit;
    end if;
  end loop;
end $$;
