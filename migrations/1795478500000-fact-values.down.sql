drop index facts_key;
create index facts_key on facts (database_id, collection_id, corpus, key, observed_at);
alter table facts drop column value_key, drop column negated;
