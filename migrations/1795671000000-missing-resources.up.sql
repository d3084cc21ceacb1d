-- What is not found may come back: since when, and how often it has been looked for.
alter table connector_resources add column missing_since timestamptz, add column missing_looks integer not null default 0;
