do $$
declare
  words record;
begin
  for words in
    select i.indexrelid::regclass::text as name
      from pg_index i join pg_class t on t.oid = i.indrelid join pg_class x on x.oid = i.indexrelid join pg_am a on a.oid = x.relam
     where t.relname ~ '^entity_mentions(_\d+_(knowledge|memory))?$' and a.amname = 'gin'
  loop
    execute format('drop index %s', words.name);
  end loop;
end $$;
