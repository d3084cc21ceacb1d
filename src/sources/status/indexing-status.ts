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
  description:
    'How far indexing has come: queued and processing items cannot be searched yet; graph_creation items can, while their relations are being built; completed items are fully indexed; errored is a final failure.',
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
