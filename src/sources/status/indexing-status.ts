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
  description: 'How far indexing has come.',
  valuesConfig: {
    queued: { description: 'The item waits to be indexed, and cannot be searched yet.' },
    processing: { description: 'It is being indexed, and cannot be searched yet.' },
    graph_creation: { description: 'It can be searched, while its relations are being built.' },
    completed: { description: 'It is fully indexed.' },
    errored: { description: 'Indexing has failed for good.' },
  },
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
