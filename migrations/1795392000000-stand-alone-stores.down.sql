drop index databases_to_work_on;
create index databases_to_work_on on databases (id) where status in ('accepted', 'deleting');

do $$
declare
  template text;
  store record;
begin
  foreach template in array array['chunks', 'chunk_vectors', 'term_frequencies'] loop
    execute format('alter table %I rename to %I', template, template || '_template');
    execute format('create table %I (like %I including defaults) partition by range (database_id, corpus)',
                   template, template || '_template');
    execute format('drop table %I', template || '_template');
    for store in
      select relname as name, parts[1] as id, parts[2] as corpus
        from pg_class, regexp_match(relname, '^' || template || '_(\d+)_(knowledge|memory)$') as parts
       where relkind = 'r' and relnamespace = current_schema()::regnamespace and parts is not null
    loop
      execute format('alter table %I attach partition %I for values from (%s, %L) to (%s, %s)', template, store.name,
                     store.id, store.corpus, store.id,
                     case store.corpus when 'knowledge' then quote_literal('memory') else 'maxvalue' end);
    end loop;
  end loop;
end $$;
