drop index sources_storage_key;
