import { setMaxListeners } from 'node:events';
import type { GraphQLSchema } from 'graphql';
import { AppError } from '../errors.js';
import type { AppErrorOptions } from '../errors.js';
import { runCancellable, untilAborted } from '../lib/cancellation.js';
import type { RequestContext } from './request-context.js';

/** Runs a read until it is done, or until its request's deadline passes or its client disconnects. */
export type LimitedRead = <Result>(read: () => Promise<Result>) => Promise<Result>;

const retryAfterSeconds = 1;

/**
 * Runs the reads of one request under one deadline, `timeoutMs` after the first of them began; `closed`
 * aborts when the client disconnects. A read that is cut off rejects with an AppError SERVICE_UNAVAILABLE.
 */
export function limitReads(timeoutMs: number, closed?: AbortSignal): LimitedRead {
  let deadline: Deadline | undefined;
  return async (read) => {
    deadline ??= new Deadline(timeoutMs, closed);
    return deadline.run(read);
  };
}

/**
 * Aborts the reads of a request and whatever they wait for. Its timer is stopped with the last read: signals
 * of AbortSignal.timeout outlive their request, and would fire when nobody is reading any more.
 */
class Deadline {
  private readonly controller = new AbortController();
  private readonly endsAtMs: number;
  private timer: NodeJS.Timeout | undefined;
  private readsUnderWay = 0;

  constructor(
    private readonly timeoutMs: number,
    private readonly closed: AbortSignal | undefined,
  ) {
    this.endsAtMs = performance.now() + timeoutMs;
    // Every field of a request and every statement under way listens, so more than ten listeners are no leak.
    setMaxListeners(0, this.controller.signal);
  }

  async run<Result>(read: () => Promise<Result>): Promise<Result> {
    this.begin();
    const result = await this.race(read);
    // Not reached when a read fails: what it has left under way ends with the deadline.
    this.end();
    return result;
  }

  private begin(): void {
    this.readsUnderWay += 1;
    if (this.readsUnderWay > 1) return;
    if (this.closed?.aborted) this.leave();
    else if (performance.now() >= this.endsAtMs) this.expire();
    else {
      this.timer = setTimeout(this.expire, this.endsAtMs - performance.now()).unref();
      this.closed?.addEventListener('abort', this.leave);
    }
  }

  private end(): void {
    this.readsUnderWay -= 1;
    if (this.readsUnderWay > 0) return;
    clearTimeout(this.timer);
    this.closed?.removeEventListener('abort', this.leave);
  }

  private readonly expire = () => {
    this.abort(`the deadline of ${this.timeoutMs} ms has passed`);
  };

  private readonly leave = () => {
    this.abort('the client has gone', { isExpected: true });
  };

  private abort(message: string, options: AppErrorOptions = {}): void {
    this.controller.abort(new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds, ...options }));
  }

  private async race<Result>(read: () => Promise<Result>): Promise<Result> {
    const { signal } = this.controller;
    signal.throwIfAborted();
    return untilAborted(signal, runCancellable(signal, read));
  }
}

/** Puts every field of Query under the deadline of its request; mutations are never cut off half-way. */
export function limitQueries(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = (...parameters) => {
      const context = parameters[2] as RequestContext;
      return context.limitRead(async (): Promise<unknown> => resolve(...parameters));
    };
  }
  return schema;
}
