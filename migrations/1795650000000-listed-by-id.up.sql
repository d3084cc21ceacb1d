-- Of items of one request, which have one time, the id orders a list: it stays when an item is replaced, as the number of a version does not.
-- A page and a count still read this index alone.
create index sources_listed_by_id on sources
  (database_id, collection_id, corpus, created_at desc, id collate "C" desc) include (uid, expires_at) where latest;
drop index sources_listed;
