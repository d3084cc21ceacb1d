-- A thousand stores at a time: each holds a lock.
do $$
declare
  steps record;
  altered int := 0;
begin
  for steps in
    select i.indexrelid::regclass as name
      from pg_index i join pg_class t on t.oid = i.indrelid
     where t.relnamespace = 'public'::regnamespace and t.relname ~ '^chunks(_\d+_(knowledge|memory))?$'
       and pg_get_indexdef(i.indexrelid) like '%(average_length_step)'
  loop
    execute format('drop index %s', steps.name);
    altered := altered + 1;
    if altered % 1000 = 0 then
      commit;
    end if;
  end loop;
end $$;
