-- Those of 8 bits are not brought back. A thousand stores at a time: each holds a lock.
do $$
declare
  store record;
  altered int := 0;
begin
  for store in
    select oid::regclass::text as name from pg_class where relkind = 'r' and relname ~ '^chunks(_\d+_(knowledge|memory))?$'
  loop
    execute format('alter table %s drop column if exists word_codes, add column word_codes bytea', store.name);
    altered := altered + 1;
    if altered % 1000 = 0 then
      commit;
    end if;
  end loop;
end $$;
