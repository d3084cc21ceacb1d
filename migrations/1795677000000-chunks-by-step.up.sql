-- Chunks that were weighed for another average length are found without reading all.
-- A thousand stores at a time: each holds a lock.
do $$
declare
  chunks record;
  altered int := 0;
begin
  for chunks in
    select t.oid::regclass as name
      from pg_class t
     where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and t.relname ~ '^chunks(_\d+_(knowledge|memory))?$'
       and not exists (
         select from pg_index i where i.indrelid = t.oid and pg_get_indexdef(i.indexrelid) like '%(average_length_step)')
  loop
    execute format('create index on %s (average_length_step)', chunks.name);
    altered := altered + 1;
    if altered % 1000 = 0 then
      commit;
    end if;
  end loop;
end $$;
