import type { FastifyReply, FastifyRequest } from 'fastify';
import { digest } from '../src/api/digest.js';
import { toAppError } from '../src/api/failure.js';
import type { App } from '../src/app.js';
import { invalidInput } from '../src/errors.js';
import { LIMITS } from '../src/limits.js';

/** What a request asks of an endpoint, and how to do it. */
export interface OnceRequest {
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Does it; `newId` makes the ids of what it creates. */
  readonly run: (newId?: () => string) => Promise<unknown>;
}

/**
 * Runs a request; with an Idempotency-Key that was used before for the same request, returns the answer given
 * then. @throws AppError INVALID_INPUT for a bad key, IDEMPOTENCY_CONFLICT, and whatever `run` throws
 */
export async function answerOnce(
  app: App,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { operation, variables, run }: OnceRequest,
): Promise<unknown> {
  const key = readKey(request);
  if (key === undefined || !request.caller) return run();
  const { idempotency } = app.services;
  const { scopes, databases, principals } = request.caller;
  // What the API key may do is part of the request, so an answer is repeated only to those who would have
  // been given it.
  const rights = { scopes: sorted(scopes), databases: sorted(databases), principals: sorted(principals) };
  const idempotent = { caller: request.caller, key, hash: digest({ operation, variables, rights }) };
  const claim = await idempotency.claim(idempotent);
  if (claim.answered) {
    void reply.header('idempotency-replayed', 'true');
    return claim.answered.data;
  }
  let data: unknown;
  try {
    data = await idempotency.whileClaimed(idempotent, () => run(claim.newId));
  } catch (error) {
    // After an unexpected failure it is unknown what was stored: a repetition must make the same ids.
    const keepsIds = toAppError(error).status >= 500;
    await idempotency.release(idempotent, { keepsIds }).catch(() => undefined);
    throw error;
  }
  await idempotency.keep(idempotent, { data });
  return data;
}

function sorted(values: Iterable<string> | null): string[] | null {
  return values && [...values].sort();
}

function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.trim() === '')
    throw invalidInput('Idempotency-Key', 'must not be empty');
  if (key.length > LIMITS.idempotencyKeyCharactersMax) {
    throw invalidInput(
      'Idempotency-Key',
      `has ${key.length} characters; at most ${LIMITS.idempotencyKeyCharactersMax}`,
    );
  }
  return key;
}
