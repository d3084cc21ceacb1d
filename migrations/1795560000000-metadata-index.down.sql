drop index sources_metadata;
