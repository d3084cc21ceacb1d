import type { Clock } from '../../lib/clock.js';
import type { ReceivedChange } from './status-message.js';

export type QueueEntry =
  | { readonly kind: 'change'; readonly change: ReceivedChange }
  /** A mark: changes after this time may have been missed. */
  | { readonly kind: 'gap'; readonly since: Date }
  /** A mark: whatever was committed before this fence was asked for stands before it. */
  | { readonly kind: 'fence'; readonly token: string };

const entriesMax = 10_000;

/**
 * Changes that a subscription has not yet sent to its client. A client that is too slow gets a gap in place
 * of what piled up.
 */
export class ChangeQueue {
  /** Whether `take` has had to wait since this was last set to false. */
  hasWaited = false;
  private entries: QueueEntry[] = [];
  private emptyAt: Date;
  private closed = false;
  private wake: () => void = () => undefined;

  constructor(private readonly clock: Clock) {
    this.emptyAt = clock.now();
  }

  push(entry: QueueEntry): void {
    if (this.closed) return;
    if (this.entries.length >= entriesMax) this.entries = [{ kind: 'gap', since: this.emptyAt }];
    this.entries.push(entry);
    this.wake();
  }

  /** The next entry as soon as there is one; undefined when no more will come. */
  async take(): Promise<QueueEntry | undefined> {
    while (this.entries.length === 0 && !this.closed) {
      this.hasWaited = true;
      this.emptyAt = this.clock.now();
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.entries.shift();
  }

  /** Accepts no more entries; those that are there can still be taken. */
  finish(): void {
    this.closed = true;
    this.wake();
  }

  close(): void {
    this.entries = [];
    this.finish();
  }
}
