-- Whether a database has items that nobody may read: only then its searches look for what may be read, lane by lane.
create index sources_nobodys on sources (database_id) where acl = '{}';
