import { createPubSub, filter, pipe } from '@graphql-yoga/subscription';
import type { Corpus } from '../postgres/partitions.js';
import type { Acl } from './acl.js';
import type { IndexingStatus } from './indexing-status.js';

/** An item's indexing status has changed; told after the change is stored. */
export interface StatusChange {
  readonly databaseId: number;
  readonly collection: string;
  readonly corpus: Corpus;
  readonly id: string;
  readonly indexingStatus: IndexingStatus;
  readonly errorCode: string;
  readonly errorMessage: string;
  /** Who may hear of it. */
  readonly acl: Acl;
}

/** Carries status changes to the subscriptions of this process. */
export class StatusFeed {
  private readonly changes = createPubSub<{ change: [StatusChange] }>();

  publish(changes: readonly StatusChange[]): void {
    for (const change of changes) this.changes.publish('change', change);
  }

  /** The changes from now on that pass a test, until the iterator is returned. */
  subscribe(wanted: (change: StatusChange) => Promise<boolean>): AsyncIterable<StatusChange> {
    return pipe(this.changes.subscribe('change'), filter(wanted));
  }
}
