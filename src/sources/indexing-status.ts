import { registerEnumType } from 'type-graphql';

export enum IndexingStatus {
  queued = 'queued',
  processing = 'processing',
  graph_creation = 'graph_creation',
  completed = 'completed',
  errored = 'errored',
}
registerEnumType(IndexingStatus, {
  name: 'IndexingStatus',
  description: 'Content is searchable from graph_creation on; errored is final.',
});

/**
 * From which states each state may be entered. An item is queued when a version of it is accepted and processing when
 * a worker claims it; a new version begins anew.
 */
export const transitions: Readonly<
  Record<'graph_creation' | 'completed' | 'errored', readonly IndexingStatus[]>
> = {
  graph_creation: [IndexingStatus.processing],
  completed: [IndexingStatus.graph_creation],
  errored: [IndexingStatus.processing, IndexingStatus.graph_creation],
};
