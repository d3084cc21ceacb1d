-- Vectors that came after a chunk are found by its number, in a collection and in a store.
create index on chunk_vectors (collection_id, chunk_id);
create index on chunk_vectors (chunk_id);
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
    execute format('create index on %I (collection_id, chunk_id)', store.name);
    execute format('create index on %I (chunk_id)', store.name);
  end loop;
  for index in
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and i.indnatts = 1
     where c.relname ~ '^chunk_vectors(_\d+_(knowledge|memory))?$' and a.attname = 'collection_id'
    union all
    -- Of builds of vector indexes: the same, for what came after one.
    select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname ~ '^chunk_vectors_\d+_(knowledge|memory)_fresh_\d+$'
  loop
    execute format('drop index %s', index.name);
  end loop;
end $$;
