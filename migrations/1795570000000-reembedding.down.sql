-- What is live becomes generation 0 again, and what is not is dropped.
do $$
declare
  store record;
  leftover record;
begin
  for store in
    select d.id, d.vector_generation as generation, format('chunk_vectors_%s_%s', d.id, c.corpus) as name
      from databases d, unnest(array['knowledge', 'memory']) as c(corpus)
     where to_regclass(format('chunks_%s_%s', d.id, c.corpus)) is not null
  loop
    for leftover in
      select relname from pg_class
       where relnamespace = current_schema()::regnamespace and relkind = 'r'
         and relname ~ ('^' || store.name || '(_g\d+)?$')
         and relname <> store.name || case when store.generation > 0 then '_g' || store.generation else '' end
    loop
      execute format('drop table %I', leftover.relname);
    end loop;
    if store.generation > 0 then
      execute format('alter table %I rename to %I', store.name || '_g' || store.generation, store.name);
    end if;
  end loop;
end $$;
-- Their names say the generation: they are built again.
delete from vector_indexes v using databases d
 where d.id = v.database_id and (v.generation <> d.vector_generation or v.generation > 0);
delete from metadata_vectors m using databases d where d.id = m.database_id and m.generation <> d.vector_generation;

alter table metadata_vectors
  drop constraint metadata_vectors_pkey,
  drop column generation,
  add primary key (database_id, source_uid, field);
alter table vector_indexes
  drop constraint vector_indexes_pkey,
  drop column generation,
  add primary key (database_id, corpus);
alter table databases
  drop column reembedding_due_at,
  drop column reembedding,
  drop column vector_generation;
