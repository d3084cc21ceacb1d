do $$
declare
  index record;
begin
  for index in
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and i.indnatts = 1
     where c.relname ~ '^chunks(_\d+_(knowledge|memory))?$' and a.attname = 'chunk_uuid'
  loop
    execute format('drop index %s', index.name);
  end loop;
end $$;
drop table secrets;
