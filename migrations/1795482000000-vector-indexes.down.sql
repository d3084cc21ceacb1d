do $$
declare
  name text;
begin
  for name in
    select relname from pg_class
     where relkind = 'i' and relnamespace = current_schema()::regnamespace
       and relname ~ '^chunk_vectors_\d+_(knowledge|memory)_(hnsw|fresh)_\d+$'
  loop
    execute format('drop index %I', name);
  end loop;
end $$;
drop table vector_indexes;
