import { createHmac, randomBytes } from 'node:crypto';

/** What the headers of one delivery attempt are made of. */
export interface DeliveryAttempt {
  /** The same at every attempt, so that receivers recognise duplicates. */
  readonly deliveryId: string;
  readonly event: string;
  /** Exactly the bytes that are sent. */
  readonly body: Uint8Array;
  readonly sentAt: Date;
  /**
   * The current secret, then those it replaces as long as receivers may still use them. Empty: not signed.
   */
  readonly secrets: readonly string[];
  /** The beginning of our own headers: `X-Service`. */
  readonly headerPrefix: string;
}

const standardPrefix = 'whsec_';
const generatedBytes = 32;

/** A new secret in the form that ready-made verifiers of Standard Webhooks accept. */
export function generateSigningSecret(): string {
  return standardPrefix + randomBytes(generatedBytes).toString('base64');
}

/** The documented headers, and those of Standard Webhooks, whose signature also covers id and time. */
export function deliveryHeaders(attempt: DeliveryAttempt): Record<string, string> {
  const { deliveryId, event, body, secrets, headerPrefix } = attempt;
  const timestamp = String(Math.floor(attempt.sentAt.getTime() / 1000));
  const headers: Record<string, string> = {
    [`${headerPrefix}-Delivery-ID`]: deliveryId,
    [`${headerPrefix}-Event`]: event,
    [`${headerPrefix}-Timestamp`]: timestamp,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
  };
  const [current] = secrets;
  if (current === undefined) return headers;
  const hex = createHmac('sha256', current).update(body).digest('hex');
  headers[`${headerPrefix}-Signature`] = `sha256=${hex}`;
  headers['webhook-signature'] = secrets
    .map((secret) => {
      const hmac = createHmac('sha256', standardKey(secret)).update(`${deliveryId}.${timestamp}.`);
      return `v1,${hmac.update(body).digest('base64')}`;
    })
    .join(' ');
  return headers;
}

/**
 * The key by Standard Webhooks: `whsec_` and base64 stand for the bytes they encode, any other secret for its
 * own bytes. Verifiers are given such a secret as `whsec_` and its base64.
 */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(standardPrefix) ? secret.slice(standardPrefix.length) : '';
  const decoded = Buffer.from(encoded, 'base64');
  return decoded.length > 0 && decoded.toString('base64') === encoded ? decoded : Buffer.from(secret);
}
