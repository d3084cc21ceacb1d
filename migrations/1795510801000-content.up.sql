-- What this server signs with; made when it is first needed.
create table secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null
);

-- Chunks are asked for by the id that answers name them by.
create index on chunks (chunk_uuid);
do $$
declare
  store record;
begin
  for store in
    select format('chunks_%s_%s', d.id, c.corpus) as name
      from databases d, unnest(array['knowledge', 'memory']) as c(corpus)
     where to_regclass(format('chunks_%s_%s', d.id, c.corpus)) is not null
  loop
    execute format('create index on %I (chunk_uuid)', store.name);
  end loop;
end $$;
