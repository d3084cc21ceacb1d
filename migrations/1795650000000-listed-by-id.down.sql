create index sources_listed on sources (database_id, collection_id, corpus, created_at desc, uid desc)
  include (expires_at) where latest;
drop index sources_listed_by_id;
