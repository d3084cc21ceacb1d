drop table embedding_cache;
drop table facts;
drop index sources_queue;
create index sources_queue on sources (next_attempt_at, uid)
  where latest and indexing_status in ('queued', 'processing', 'graph_creation');
alter table sources
  drop column app,
  drop column type,
  drop column description,
  drop column url,
  drop column item_time,
  drop column app_kind,
  drop column app_provider,
  drop column app_external_id,
  drop column app_parent_id,
  drop column app_thread_id,
  drop column supplied_graph,
  drop column infer,
  drop column expires_at,
  drop column queue_at,
  drop column large,
  drop column blocked_since;
