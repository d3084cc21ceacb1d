create index on chunk_vectors (collection_id);
do $$
declare
  store record;
  index record;
begin
  for store in
    select format('chunk_vectors_%s_%s', d.id, c.corpus) as name
      from databases d, unnest(array['knowledge', 'memory']) as c(corpus)
     where to_regclass(format('chunk_vectors_%s_%s', d.id, c.corpus)) is not null
  loop
    execute format('create index on %I (collection_id)', store.name);
  end loop;
  for index in
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[i.indnatts - 1] and i.indpred is null
     where c.relname ~ '^chunk_vectors(_\d+_(knowledge|memory))?$' and a.attname = 'chunk_id'
  loop
    execute format('drop index %s', index.name);
  end loop;
end $$;
