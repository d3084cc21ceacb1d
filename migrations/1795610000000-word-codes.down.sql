do $$
declare
  store record;
begin
  for store in
    select oid::regclass::text as name from pg_class where relkind = 'r' and relname ~ '^chunks(_\d+_(knowledge|memory))?$'
  loop
    execute format('alter table %s drop column word_codes', store.name);
  end loop;
end $$;
