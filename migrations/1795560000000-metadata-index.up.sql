-- Filters: equality, any of and elements of arrays. Only what readers see is filtered, and a version becomes visible late,
-- so the changes of its status before do not write here. No list of pending entries: every search would read it.
create index sources_metadata on sources
  using gin (metadata jsonb_path_ops, additional_metadata jsonb_path_ops) with (fastupdate = off)
  where visible;
