do $$
declare
  store record;
begin
  for store in
    select oid::regclass::text as name from pg_class
     where relkind = 'r' and relname ~ '^term_frequencies(_\d+_(knowledge|memory))?$'
  loop
    execute format(
      'with blocks as (delete from %1$s where terms is not null returning database_id, corpus, terms, amounts)
       insert into %1$s (database_id, corpus, term, amount, folded)
       select database_id, corpus, t.term, t.amount, false from blocks, unnest(terms, amounts) as t(term, amount)', store.name);
    execute format('alter table %s drop column terms, drop column amounts', store.name);
  end loop;
end $$;
