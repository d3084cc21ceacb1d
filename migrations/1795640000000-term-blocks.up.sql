-- What one statement adds to the terms of a block is one row (ingestion/term-counts.queries); rows of single terms stay valid.
-- A thousand stores at a time: each holds a lock.
do $$
declare
  store record;
  altered int := 0;
begin
  for store in
    select oid::regclass::text as name from pg_class
     where relkind = 'r' and relname ~ '^term_frequencies(_\d+_(knowledge|memory))?$'
  loop
    execute format('alter table %s add column if not exists terms int[], add column if not exists amounts int[]', store.name);
    altered := altered + 1;
    if altered % 1000 = 0 then
      commit;
    end if;
  end loop;
end $$;
