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
 * From which statuses each status may be entered. An item is queued when a version is accepted and processing
 * when a worker claims it; a new version starts over.
 */
export const transitions: Readonly<
  Record<'graph_creation' | 'completed' | 'errored', readonly IndexingStatus[]>
> = {
  graph_creation: [IndexingStatus.processing],
  completed: [IndexingStatus.graph_creation],
  errored: [IndexingStatus.processing, IndexingStatus.graph_creation],
};
