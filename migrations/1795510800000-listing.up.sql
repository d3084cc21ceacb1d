-- Lists: a page and a count read this index alone, whatever the page. An item has one latest version.
create index sources_listed on sources (database_id, collection_id, corpus, created_at desc, uid desc)
  include (expires_at) where latest;

-- Comments below the item that they are on.
create index sources_comments on sources
  (database_id, collection_id, corpus, app_provider, app_parent_id, created_at, uid)
  where latest and app_kind = 'comment';
