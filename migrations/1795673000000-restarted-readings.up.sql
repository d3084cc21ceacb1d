-- In which sync reading began anew because its place was too old: it does so once in a sync.
alter table connector_resources add column restarted_run uuid;
