-- Filters: equality, any of and elements of arrays. Only what readers see is filtered, and a version becomes visible late,
-- so the changes of its status before do not write here. Most items have no metadata: an entry for having none would cost
-- as much as one for a value. Statements name the condition as it stands here.
create index sources_metadata on sources
  using gin (metadata jsonb_path_ops, additional_metadata jsonb_path_ops) with (fastupdate = off)
  where visible and (metadata <> '{}' or additional_metadata <> '{}');

-- A short list of what is still to be merged halves what storing an item costs. Nobody merges it on the embedded Postgres,
-- whose planner takes it for reason enough to scan the table.
do $$
begin
  if version() !~ 'wasm' then
    alter index sources_metadata set (fastupdate = on, gin_pending_list_limit = 256);
  end if;
end $$;
