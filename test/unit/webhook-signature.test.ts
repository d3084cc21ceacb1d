import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { deliveryHeaders, generateSigningSecret } from '../../src/webhooks/signature.js';

const body = Buffer.from('{"indexing_status":"completed","title":"Größe ✓"}');
const attempt = {
  deliveryId: 'd1',
  event: 'indexing.status_changed',
  body,
  sentAt: new Date(),
  headerPrefix: 'X-Service',
};
const seconds = String(Math.floor(attempt.sentAt.getTime() / 1000));

describe('the headers of a delivery', () => {
  test('name delivery, event and time under our prefix and as Standard Webhooks', () => {
    expect(deliveryHeaders({ ...attempt, secrets: [] })).toEqual({
      'X-Service-Delivery-ID': 'd1',
      'X-Service-Event': 'indexing.status_changed',
      'X-Service-Timestamp': seconds,
      'webhook-id': 'd1',
      'webhook-timestamp': seconds,
    });
    expect(Object.keys(deliveryHeaders({ ...attempt, secrets: ['s'], headerPrefix: 'X-Acme' }))).toEqual(
      expect.arrayContaining(['X-Acme-Delivery-ID', 'X-Acme-Event', 'X-Acme-Timestamp', 'X-Acme-Signature']),
    );
  });

  test('sign the raw body with the characters of the secret in force', () => {
    // Also of one that stands for other bytes by Standard Webhooks.
    for (const secret of ['a secret of my own, ä', generateSigningSecret()]) {
      const signed = deliveryHeaders({ ...attempt, secrets: [secret, 'the one before, replaced'] });
      const hex = createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex');
      expect(signed['X-Service-Signature']).toBe(`sha256=${hex}`);
    }
  });

  // The examples of RFC 4231 and of the Standard Webhooks specification.
  test('are those of published vectors', () => {
    const rfc = deliveryHeaders({
      ...attempt,
      body: Buffer.from('what do ya want for nothing?'),
      secrets: ['Jefe'],
    });
    expect(rfc['X-Service-Signature']).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    const standard = deliveryHeaders({
      ...attempt,
      deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      sentAt: new Date(1614265330 * 1000),
      body: Buffer.from('{"test": 2432232314}'),
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    });
    expect(standard['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('a ready-made verifier', () => {
  const generated = generateSigningSecret();
  const chosen = 'sixteen characters, ä';
  const text = body.toString();

  test('takes a generated secret as it is', () => {
    expect(generated).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(generateSigningSecret()).not.toBe(generated);
    const headers = deliveryHeaders({ ...attempt, secrets: [generated] });
    expect(new Webhook(generated).verify(text, headers)).toEqual(JSON.parse(text));
  });

  test.each([chosen, 'whsec_not base64!', 'whsec_', 'whsec_YWJj\n', 'bm90IG1hcmtlZCBhcyBvbmU='])(
    'takes the base64 of a chosen secret: %j',
    (secret) => {
      const headers = deliveryHeaders({ ...attempt, secrets: [secret] });
      const key = `whsec_${Buffer.from(secret).toString('base64')}`;
      expect(new Webhook(key).verify(text, headers)).toEqual(JSON.parse(text));
    },
  );

  test('takes either secret while one replaces the other', () => {
    const headers = deliveryHeaders({ ...attempt, secrets: [chosen, generated] });
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const key of [generated, `whsec_${Buffer.from(chosen).toString('base64')}`])
      expect(new Webhook(key).verify(text, headers)).toEqual(JSON.parse(text));
  });

  test('refuses another body, id, time or secret, and what is old', () => {
    const headers = deliveryHeaders({ ...attempt, secrets: [generated] });
    const verifier = new Webhook(generated);
    expect(() => verifier.verify(`${text} `, headers)).toThrow('No matching signature');
    expect(() => verifier.verify(text, { ...headers, 'webhook-id': 'd2' })).toThrow('No matching signature');
    const later = String(Number(seconds) + 1);
    expect(() => verifier.verify(text, { ...headers, 'webhook-timestamp': later })).toThrow('No matching');
    expect(() => new Webhook(generateSigningSecret()).verify(text, headers)).toThrow('No matching signature');
    const old = { ...attempt, sentAt: new Date(Date.now() - 301_000), secrets: [generated] };
    expect(() => verifier.verify(text, deliveryHeaders(old))).toThrow('too old');
  });
});
