-- Items that are searchable and wait for their graph have an index of their own: behind a slow language model they may be
-- many, and whoever looks for items to index must not pass them.
drop index sources_queue;
create index sources_queue on sources (large, database_id, queue_at, uid)
  where latest and indexing_status in ('queued', 'processing');
create index sources_graph_queue on sources (database_id, queue_at, uid)
  where latest and indexing_status = 'graph_creation';
