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

/** From which states each state may be entered; a new version of an item begins anew at queued. */
export const transitions: Readonly<Record<Exclude<IndexingStatus, 'queued'>, readonly IndexingStatus[]>> = {
  processing: [IndexingStatus.queued, IndexingStatus.processing],
  graph_creation: [IndexingStatus.processing],
  completed: [IndexingStatus.graph_creation],
  errored: [IndexingStatus.processing, IndexingStatus.graph_creation],
};
