/**
 * Rows of a changed status: database_id, collection, corpus, id, uid, previous_uid (of queued: the version that it
 * replaces, if any), indexing_status, sequence, error_code, error_message,
 * status_updated_at. The sequence counts the changes of one version: queued is 1.
 */
export type ChangesSql = string;

/**
 * Makes the SQL that stores what others are to be told of changes: an INSERT within the statement that makes
 * them.
 */
export type OutboxSql = (changes: ChangesSql) => string;
