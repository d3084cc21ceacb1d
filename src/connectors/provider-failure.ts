import { AppError } from '../errors.js';
import { withinTime } from '../lib/cancellation.js';
import { ProviderError } from './provider.js';
import type { ProviderFailure, Session } from './provider.js';

const retryAfterSeconds = 30;
const retryable: ReadonlySet<ProviderFailure> = new Set(['limited', 'unavailable']);

/** A mistake of ours or of a library, not an answer: the message tells users nothing of it, `cause` is for the log. */
export class UnexpectedFailure extends ProviderError {
  constructor(cause: unknown) {
    super('unavailable', 'reading it failed unexpectedly; whoever runs this server finds why in its log', {
      cause,
    });
  }
}

/** What counts as a provider's failure, whatever it threw. */
export function readFailure(error: unknown): ProviderError {
  return error instanceof ProviderError ? error : new UnexpectedFailure(error);
}

/**
 * Asks a provider something for a caller who waits for it, and ends the session.
 * @throws AppError UNPROCESSABLE when it refuses, SERVICE_UNAVAILABLE when it fails or takes longer.
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
    // What it could not end ends by itself; the caller has its answer.
    await session.close().catch(() => undefined);
  }
}

/** What a caller is told of a provider that failed; other errors as they are. `subject`: what was asked for. */
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
  if ((error as { name?: unknown } | null)?.name !== 'TimeoutError') return error;
  const message = `${prefix}${name} did not answer in time; try again in ${retryAfterSeconds} s`;
  return new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds, cause: error });
}
