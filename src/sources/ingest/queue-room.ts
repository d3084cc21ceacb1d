import type { DataSource } from 'typeorm';
import { AppError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { queryOne } from '../../postgres/query.js';
import { toIndex, withoutGraph } from '../status/indexing-queue.js';

/** A request is taken whole while there is room: so many more than may wait are still counted, to be told of. */
const beyondMax = 10_000;
const retryAfterSeconds = 10;
const knownMs = 5000;
const databasesMax = 10_000;

interface QueueRoomOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  /** How many items of a database may wait; beyond that it accepts no more. */
  readonly queuedMax: number;
}

/** How many more items may wait to be indexed, by database. */
export class QueueRoom {
  /** What was found by the last count, less what has been accepted since. */
  private readonly found = new Map<number, { left: number; untilMs: number }>();

  constructor(private readonly options: QueueRoomOptions) {}

  /**
   * Takes room for items of a request. Counts anew when the room found by the last count is used up, or after
   * a few seconds. @throws AppError QUEUE_FULL when there is none
   */
  async take({ id, name }: { readonly id: number; readonly name: string }, items: number): Promise<void> {
    const { queuedMax, clock } = this.options;
    const now = clock.now().getTime();
    let room = this.found.get(id);
    if (!room || room.left <= 0 || room.untilMs < now) {
      room = { left: queuedMax - (await this.countWaiting(id)), untilMs: now + knownMs };
      if (this.found.size >= databasesMax) this.found.clear();
      this.found.set(id, room);
    }
    if (room.left <= 0) {
      throw new AppError(
        'QUEUE_FULL',
        `${queuedMax - room.left} items of database "${name}" wait to be indexed, where MAX_QUEUED allows ${queuedMax}; try again in ${retryAfterSeconds} seconds`,
        { limit: queuedMax, retryAfterSeconds },
      );
    }
    room.left -= items;
  }

  private async countWaiting(databaseId: number): Promise<number> {
    const { postgres, queuedMax } = this.options;
    const row = await queryOne<{ count: number }>(
      postgres.manager,
      `select count(*)::int as count from
         ((select 1 from sources where large in (true, false) and database_id = $1 and ${toIndex} limit $2)
          union all (select 1 from sources where database_id = $1 and ${withoutGraph} limit $2)) as found`,
      [databaseId, queuedMax + beyondMax],
    );
    return row?.count ?? 0;
  }
}
