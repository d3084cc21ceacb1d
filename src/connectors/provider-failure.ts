import { AppError } from '../errors.js';
import { isTimeout, withinTime } from '../lib/cancellation.js';
import { ProviderError } from './provider.js';
import type { ProviderFailure, Session } from './provider.js';

const retryAfterSeconds = 30;
const retryable: ReadonlySet<ProviderFailure> = new Set(['limited', 'unavailable']);

/**
 * A mistake of ours or of a library rather than an answer. Its message tells users nothing about it; `cause`
 * is for the log.
 */
export class UnexpectedFailure extends ProviderError {
  constructor(cause: unknown) {
    super('unavailable', 'reading it failed unexpectedly; whoever runs this server finds why in its log', {
      cause,
    });
  }
}

/** Turns whatever a provider threw into a ProviderError. */
export function toProviderError(error: unknown): ProviderError {
  return error instanceof ProviderError ? error : new UnexpectedFailure(error);
}

/**
 * Asks a provider something while a caller waits, and closes the session. @throws AppError UNPROCESSABLE when
 * it refuses, SERVICE_UNAVAILABLE when it fails or takes too long
 */
export async function askProvider<Answer>(
  session: Session,
  { name, milliseconds }: { name: string; milliseconds: number },
  ask: (session: Session, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await withinTime(milliseconds, (signal) => ask(session, signal));
  } catch (error) {
    throw toCallersError(error, name);
  } finally {
    // Connections that cannot be closed end by themselves; the caller has an answer already.
    await session.close().catch(() => undefined);
  }
}

/**
 * The error that a caller gets when a provider failed; other errors are returned unchanged. `subject` is what
 * was asked for.
 */
export function toCallersError(error: unknown, name: string, subject?: string): unknown {
  const prefix = subject === undefined ? '' : `${subject}: `;
  if (error instanceof ProviderError) {
    const message = `${prefix}${error.message}`;
    if (!retryable.has(error.kind)) return new AppError('UNPROCESSABLE', message, { cause: error });
    const wait = error.retryAfterSeconds ?? retryAfterSeconds;
    return new AppError('SERVICE_UNAVAILABLE', `${message}; try again in ${wait} s`, {
      retryAfterSeconds: wait,
      cause: error,
    });
  }
  if (!isTimeout(error)) return error;
  const message = `${prefix}${name} did not answer in time; try again in ${retryAfterSeconds} s`;
  return new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds, cause: error });
}
