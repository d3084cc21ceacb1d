import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { adminKey } from './server.js';
import type { Answer } from './server.js';

interface CallParts {
  readonly json?: unknown;
  readonly form?: FormData;
  readonly idempotencyKey?: string;
}

// Longer than any deadline of the server: a call that takes longer hangs.
const hangsAfterMs = 20_000;

/** Calls a server in another process; rejects when the connection breaks. */
export async function callApi(
  url: string,
  route: string,
  { json, form, idempotencyKey }: CallParts = {},
): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const headers: Record<string, string> = { authorization: `Bearer ${adminKey}` };
  if (json !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  const body = json === undefined ? form : JSON.stringify(json);
  const response = await fetch(url + path, {
    method,
    headers,
    signal: AbortSignal.timeout(hangsAfterMs),
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** A form with text files and their ids. */
export function documentsForm(database: string, files: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  form.append('database', database);
  form.append('document_metadata', JSON.stringify(Object.keys(files).map((id) => ({ id }))));
  for (const [id, text] of Object.entries(files)) form.append('documents', new Blob([text]), `${id}.txt`);
  return form;
}

const stuckAfterMs = 60_000;
// Asking is work for the server too: who has waited long asks less often.
const pollMsMin = 20;
const pollMsMax = 250;
const pollShare = 0.05;
const shownCharactersMax = 2000;

/**
 * Polls a server in another process until `ask` is true. @throws when nothing moves: `what` has been the same
 * for a minute. A slow machine is not stuck as long as something changes.
 */
export async function until(ask: () => Promise<boolean>, what: () => unknown = () => ask): Promise<void> {
  const startedAt = Date.now();
  let left = String(await what());
  let lookAt = startedAt + stuckAfterMs;
  while (!(await ask())) {
    if (Date.now() > lookAt) {
      const before = left;
      left = String(await what());
      if (left === before) throw new Error(`stuck: ${left.slice(0, shownCharactersMax)}`);
      lookAt = Date.now() + stuckAfterMs;
    }
    await delay(Math.min(Math.max((Date.now() - startedAt) * pollShare, pollMsMin), pollMsMax));
  }
}

/** Creates a database on a server in another process, and waits until it is ready. */
export async function makeDatabase(url: string, database: string): Promise<void> {
  const made = await callApi(url, 'POST /databases', { json: { database } });
  expect(made.status).toBe(202);
  await until(async () => {
    const { body } = await callApi(url, `GET /databases/status?database=${database}`);
    return body.data.status === 'ready';
  });
}

/** What callers may see of an outage: the envelope, when to try again, and nothing of our internals. */
export function expectUnavailable(answer: Answer): void {
  const errors = (answer.body.errors ?? [answer.body.error]) as any[];
  expect(errors).toHaveLength(1);
  const [{ message, code, extensions }] = errors;
  expect(extensions?.code ?? code).toBe('SERVICE_UNAVAILABLE');
  expect(message).not.toMatch(/postgres|pg_|sql|econn|enospc|terminat|timeout|relation|socket|runner/i);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  // A GraphQL operation that was executed answers 200, with the status in its error.
  expect(answer.status === 200 ? extensions?.httpStatus : answer.status).toBe(503);
}
