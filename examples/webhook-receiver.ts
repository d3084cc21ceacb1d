/**
 * A receiver of webhooks, with nothing but Node: WEBHOOK_SECRET=… PORT=9000.
 *
 * It checks `webhook-signature` (Standard Webhooks), which signs delivery id, time and body, and so also ends replays.
 * `X-Service-Signature: sha256=<hex>` signs the body alone, with the characters of the secret as they are.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

const ageSecondsMax = 300;
const bodyBytesMax = 1_000_000;
/** A delivery may come again for days; a service that restarts keeps these ids in its database, under a unique key. */
const rememberedMax = 100_000;

interface StatusChanged {
  readonly id: string;
  readonly indexing_status: string;
  readonly error_code?: string;
}

/** A generated secret is `whsec_` and base64; one of your own choosing is used as it is. */
function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '';
  const decoded = Buffer.from(encoded, 'base64');
  return decoded.length > 0 && decoded.toString('base64') === encoded ? decoded : Buffer.from(secret);
}

/** Whether the headers belong to the very bytes of the body and are fresh. While a secret is replaced there are two signatures. */
function isGenuine(key: Buffer, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = String(headers['webhook-id'] ?? '');
  const timestamp = String(headers['webhook-timestamp'] ?? '');
  const signatures = String(headers['webhook-signature'] ?? '').split(' ');
  if (!id || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > ageSecondsMax) return false;
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
  return signatures.some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const seen = new Set<string>();

/** Answers with a status; any 2xx ends the delivery, all else brings it again. */
async function receive(key: Buffer, request: IncomingMessage): Promise<number> {
  if (request.method !== 'POST') return 405;
  const length = Number(request.headers['content-length'] ?? NaN);
  if (Number.isNaN(length)) return 411;
  if (length > bodyBytesMax) return 413;
  // The bytes as they came: parsed and written again they would have another signature.
  const body = await buffer(request);
  if (!isGenuine(key, request.headers, body)) return 401;
  const deliveryId = String(request.headers['webhook-id']);
  if (seen.has(deliveryId)) return 200;
  handle(JSON.parse(body.toString()) as StatusChanged);
  // Only what was handled is remembered, so that a failure is sent again.
  seen.add(deliveryId);
  const [oldest] = seen;
  if (seen.size > rememberedMax && oldest) seen.delete(oldest);
  return 204;
}

/** What you do with an event; quickly, for the sender waits 15 seconds. */
function handle({ id, indexing_status, error_code }: StatusChanged): void {
  console.log(`${id} is ${indexing_status}${error_code ? ` (${error_code})` : ''}`);
}

const secret = process.env['WEBHOOK_SECRET'];
if (!secret) throw new Error('WEBHOOK_SECRET is not set');
const key = keyOf(secret);
const server = createServer((request, response) => {
  void receive(key, request)
    .catch((error: unknown) => {
      console.error(error);
      return 500;
    })
    .then((status) => response.writeHead(status).end());
});
server.listen(Number(process.env['PORT'] ?? 9000), () =>
  console.log(`receiving on port ${(server.address() as AddressInfo).port}`),
);
