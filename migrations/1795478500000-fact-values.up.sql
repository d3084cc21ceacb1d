-- Values are compared without what spelling and inflection add. A fact that denies its value ("no longer lives in Oslo")
-- contradicts only who affirms that very value.
alter table facts add column value_key text not null, add column negated boolean not null;
-- The key first: whoever asks for a key has no use for another index, and whoever asks for a version none for this one,
-- whatever the planner believes of either. The last fact of a key is read from the end.
drop index facts_key;
create index facts_key on facts (key, collection_id, corpus, database_id, observed_at, source_uid, position);
