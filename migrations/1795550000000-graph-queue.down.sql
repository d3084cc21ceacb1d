drop index sources_graph_queue;
drop index sources_queue;
create index sources_queue on sources (large, database_id, queue_at, uid)
  where latest and indexing_status in ('queued', 'processing', 'graph_creation');
