import type { Clock } from '../lib/clock.js';
import type { HeardChange } from './status-message.js';

export type QueueEntry =
  | { readonly kind: 'change'; readonly change: HeardChange }
  /** Changes after this time may have been missed. */
  | { readonly kind: 'gap'; readonly since: Date }
  /** Everything that was committed before it was asked for stands before it. */
  | { readonly kind: 'fence'; readonly token: string };

const entriesMax = 10_000;

/** What a subscription has not told its client yet. A client that is too slow gets a gap in place of what piled up. */
export class ChangeQueue {
  /** Whether taking has waited since this was last set. */
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

  /** The next entry, as soon as there is one; undefined when none will come any more. */
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

  /** Takes nothing any more; what is there can still be taken. */
  finish(): void {
    this.closed = true;
    this.wake();
  }

  close(): void {
    this.entries = [];
    this.finish();
  }
}
