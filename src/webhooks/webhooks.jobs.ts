import { defineJob } from '../jobs/define-job.js';
import type { Job } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import { dayMs } from '../lib/units.js';
import type { DeliveryQueue } from './delivery-queue.js';
import type { DeliverySender } from './delivery-sender.js';

const keptMs = 30 * dayMs;

/** Sends due deliveries. */
export function sendWebhooks(sender: DeliverySender): Job {
  return defineJob({
    name: 'send-webhooks',
    everySeconds: 5,
    concurrency: 1,
    run: (signal) => sender.sendSome(signal),
    underWay: () => sender.underWay,
  });
}

/** Ends the deliveries of webhooks that have been deleted. */
export function endOrphanedDeliveries(queue: DeliveryQueue): Job {
  return defineJob({
    name: 'end-orphaned-deliveries',
    everySeconds: 300,
    concurrency: 1,
    run: async () => ((await queue.endOrphaned()) ? 'worked' : 'idle'),
  });
}

/** Removes deliveries after 30 days. */
export function forgetOldDeliveries(queue: DeliveryQueue, clock: Clock): Job {
  return defineJob({
    name: 'forget-old-deliveries',
    everySeconds: 3600,
    concurrency: 1,
    run: async () => {
      const before = new Date(clock.now().getTime() - keptMs);
      return (await queue.deleteOld(before)) ? 'worked' : 'idle';
    },
  });
}
