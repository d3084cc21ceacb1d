-- Up to which whole walk what it does not show is believed to be gone, however much: filters were changed before it began.
alter table connector_resources add column believed_walk integer not null default 0;
