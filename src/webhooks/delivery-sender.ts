import { setImmediate } from 'node:timers/promises';
import type { JobOutcome, Wake } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import { HttpRequestError } from '../lib/http-client.js';
import type { HttpAnswer, HttpClient } from '../lib/http-client.js';
import type { Logger } from '../lib/logger.js';
import { readRetryAfterMs } from '../lib/retry-after.js';
import type { SecretBox } from '../lib/secret-box.js';
import { destinationsMax, lookAgainMs } from './delivery-queue.js';
import type { AttemptResult, DeliveryQueue, Destination, LeasedDelivery, Turn } from './delivery-queue.js';
import { payloadOf, statusChangedEvent } from './payload.js';
import { retryDelayMs } from './retry-schedule.js';
import { deliveryHeaders } from './signature.js';
import { openSecrets } from './signing-secrets.js';
import { WebhookDeliveryStatus } from './webhook.types.js';

export interface SenderOptions {
  readonly queue: DeliveryQueue;
  readonly http: HttpClient;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly wake: Wake;
  /** The beginning of the documented headers. */
  readonly headerPrefix: string;
  /** How long a receiver may take to answer. */
  readonly timeoutMs: number;
  /** How many attempts this process makes at a time. */
  readonly attemptsMax: number;
}

/** What a receiver answered, or why it did not. */
export interface Attempt {
  readonly status: number | null;
  readonly delivered: boolean;
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly durationMs: number;
  readonly retryAfterMs: number;
}

/** Used unless other values are given. */
export const senderDefaults = { timeoutMs: 15_000, attemptsMax: 256 };
/** Attempts for one account at a time; fewer while its receiver fails, so that others have room. */
const accountAttemptsMax = 16;
const failingAttemptsMax = 2;
const finishedAtOnceMax = 100;
const gone = 410;
// For longer delays the schedule of the job is enough.
const timerMsMax = 60_000;

const errorCodes: Readonly<Record<HttpRequestError['kind'], string>> = {
  refused: 'URL_REFUSED',
  timeout: 'TIMEOUT',
  cancelled: 'CANCELLED',
  network: 'CONNECTION_FAILED',
};

/** Attempts deliveries, many at a time, and decides what each outcome means. */
export class DeliverySender {
  /** Resolve when the outcome of their attempt is stored; never reject. */
  readonly underWay = new Set<Promise<void>>();
  private readonly attemptsOf = new Map<string, number>();
  private readonly failing = new Set<string>();
  private readonly results: AttemptResult[] = [];
  private noting: Promise<void> | undefined;
  private lastServed: string | undefined;
  private timer: { readonly handle: NodeJS.Timeout; readonly dueMs: number } | undefined;

  constructor(private readonly options: SenderOptions) {}

  /**
   * Begins attempts for due deliveries as far as there is room, accounts taking turns. Does not wait for
   * their outcomes.
   */
  async sendSome(signal: AbortSignal): Promise<JobOutcome> {
    let wrapped = this.lastServed === undefined;
    while (!signal.aborted && this.underWay.size < this.options.attemptsMax) {
      const due = await this.options.queue.findDue(this.lastServed);
      const isLast = due.length < destinationsMax;
      const begun = await this.serve(due, signal);
      this.lastServed = isLast ? undefined : due.at(-1)?.accountId;
      if (begun > 0) return 'worked';
      if (isLast && wrapped) break;
      wrapped ||= isLast;
    }
    return 'idle';
  }

  /** Sends one event now, past the queue. */
  async attempt(
    { url, secrets }: { url: string; secrets: readonly string[] },
    { id, body }: { id: string; body: Buffer },
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const { http, clock, headerPrefix, timeoutMs } = this.options;
    const startedAt = performance.now();
    const took = () => Math.round(performance.now() - startedAt);
    const event = {
      deliveryId: id,
      event: statusChangedEvent,
      body,
      sentAt: clock.now(),
      secrets,
      headerPrefix,
    };
    try {
      const answer = await http.request({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'contexture',
          ...deliveryHeaders(event),
        },
        body,
        timeoutMs,
        // A receiver has answered with its status, however long it goes on to talk.
        responseBytesMax: 0,
        ...(signal ? { signal } : {}),
      });
      return { ...readAnswer(answer, clock.now()), durationMs: took() };
    } catch (error) {
      if (!(error instanceof HttpRequestError)) throw error;
      return {
        status: null,
        delivered: false,
        errorCode: errorCodes[error.kind],
        errorMessage: error.kind === 'refused' ? `the URL ${error.message}` : error.message,
        durationMs: took(),
        retryAfterMs: 0,
      };
    }
  }

  /** Closes timers and connections; to be called when the attempts under way have ended. */
  async close(): Promise<void> {
    clearTimeout(this.timer?.handle);
    await this.options.http.close();
  }

  /** Begins attempts for some accounts, which share the room; returns how many. */
  private async serve(due: readonly Destination[], signal: AbortSignal): Promise<number> {
    const room = this.options.attemptsMax - this.underWay.size;
    const share = Math.max(1, Math.floor(room / Math.max(1, due.length)));
    const turns = due.flatMap((destination) => this.turnOf(destination, share));
    if (turns.length === 0) return 0;
    // Some of theirs may have been put off.
    this.wakeIn(lookAgainMs);
    const claimed = await this.options.queue.claim(turns);
    for (const delivery of claimed) {
      const turn = turns.find(({ destination }) => destination.accountId === delivery.accountId);
      if (turn) this.begin(delivery, turn, signal);
    }
    return claimed.length;
  }

  private turnOf(destination: Destination, share: number): SignedTurn[] {
    const { accountId } = destination;
    const most = this.failing.has(accountId) ? failingAttemptsMax : accountAttemptsMax;
    const slots = Math.min(share, most - (this.attemptsOf.get(accountId) ?? 0));
    if (slots <= 0) return [];
    const { secretBox, clock, logger } = this.options;
    try {
      return [{ destination, slots, secrets: openSecrets(secretBox, destination, clock.now()) }];
    } catch (error) {
      // It must not go out unsigned, so it waits for a process that has the key.
      logger.error({ accountId, err: error }, 'webhook deliveries wait');
      return [];
    }
  }

  private begin(delivery: LeasedDelivery, { destination, secrets }: SignedTurn, signal: AbortSignal): void {
    const { accountId } = delivery;
    const { queue, logger, wake } = this.options;
    this.attemptsOf.set(accountId, (this.attemptsOf.get(accountId) ?? 0) + 1);
    const work = async () => {
      const body = payloadOf(delivery);
      const target = { url: destination.url, secrets };
      const attempt = await this.attempt(target, { id: delivery.id, body }, signal);
      if (signal.aborted && !attempt.delivered) return queue.release(delivery);
      if (attempt.delivered) this.failing.delete(accountId);
      else this.failing.add(accountId);
      await this.note(this.resultOf(delivery, attempt));
    };
    const ended = work()
      // Its lease runs out, and it is sent again.
      .catch((error: unknown) => logger.error({ err: error }, 'a webhook attempt was not noted'))
      .finally(() => {
        this.underWay.delete(ended);
        const left = (this.attemptsOf.get(accountId) ?? 1) - 1;
        if (left > 0) this.attemptsOf.set(accountId, left);
        else this.attemptsOf.delete(accountId);
        wake('send-webhooks');
      });
    this.underWay.add(ended);
  }

  private resultOf(delivery: LeasedDelivery, attempt: Attempt): AttemptResult {
    const { delivered, errorCode, errorMessage, status: responseStatus, durationMs, retryAfterMs } = attempt;
    const told = { delivery, errorCode, errorMessage, responseStatus, durationMs };
    if (delivered) return { ...told, status: WebhookDeliveryStatus.completed, nextAttemptAt: null };
    const delay = responseStatus === gone ? undefined : retryDelayMs(delivery.tries, retryAfterMs);
    if (delay === undefined) {
      const { id, accountId } = delivery;
      this.options.logger.warn(
        { delivery: id, accountId, reason: errorMessage },
        'a webhook delivery is given up',
      );
      return { ...told, status: WebhookDeliveryStatus.permanently_failed, nextAttemptAt: null };
    }
    this.wakeIn(delay);
    const nextAttemptAt = new Date(this.options.clock.now().getTime() + delay);
    return { ...told, status: WebhookDeliveryStatus.failed, nextAttemptAt };
  }

  /** Stores an outcome, together with those of other attempts that end meanwhile. */
  private async note(result: AttemptResult): Promise<void> {
    this.results.push(result);
    this.noting ??= this.noteAll();
    await this.noting;
  }

  private async noteAll(): Promise<void> {
    try {
      await setImmediate();
      while (this.results.length > 0)
        await this.options.queue.finish(this.results.splice(0, finishedAtOnceMax));
    } finally {
      this.noting = undefined;
    }
  }

  /** Looks for due deliveries after a delay, even between runs of the job's schedule. */
  private wakeIn(delayMs: number): void {
    const dueMs = performance.now() + delayMs;
    if (delayMs > timerMsMax || (this.timer && this.timer.dueMs <= dueMs)) return;
    clearTimeout(this.timer?.handle);
    const wake = () => {
      this.timer = undefined;
      this.options.wake('send-webhooks');
    };
    this.timer = { dueMs, handle: setTimeout(wake, delayMs).unref() };
  }
}

/** An account's share of a claim, and what its deliveries are signed with. */
interface SignedTurn extends Turn {
  readonly secrets: readonly string[];
}

function readAnswer({ status, headers }: HttpAnswer, now: Date): Omit<Attempt, 'durationMs'> {
  const delivered = status >= 200 && status < 300;
  return {
    status,
    delivered,
    errorCode: delivered ? '' : `HTTP_${status}`,
    errorMessage: delivered ? '' : `the receiver answered ${status}`,
    retryAfterMs: readRetryAfterMs(headers['retry-after'], now) ?? 0,
  };
}
