-- The sweep of files asks by their keys which of them have an item.
create index sources_storage_key on sources (storage_key) where storage_key is not null;
