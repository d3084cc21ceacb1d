import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliveryHeaders, generateSigningSecret } from '../../src/webhooks/signature.js';

const receivers: [name: string, program: string, file: string][] = [
  ['TypeScript', process.execPath, 'dist/examples/webhook-receiver.js'],
];
if (spawnSync('python3', ['--version']).status === 0)
  receivers.push(['Python', 'python3', 'examples/webhook_receiver.py']);

/** One of the examples as a user starts it. */
class Receiver {
  readonly printed: string[] = [];
  private readonly lines: Interface;

  private constructor(private readonly child: ChildProcess) {
    if (!child.stdout) throw new Error('no output');
    this.lines = createInterface(child.stdout).on('line', (line) => this.printed.push(line));
  }

  static async start(program: string, file: string, secret: string): Promise<[Receiver, string]> {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], WEBHOOK_SECRET: secret, PORT: '0' };
    const receiver = new Receiver(spawn(program, [file], { env, stdio: ['ignore', 'pipe', 'ignore'] }));
    await once(receiver.lines, 'line');
    const port = /^receiving on port (\d+)$/.exec(receiver.printed.shift() ?? '')?.[1];
    return [receiver, `http://127.0.0.1:${port}/hook`];
  }

  /** What was printed for deliveries that came before: one more, and all until it shows. */
  async events(send: () => Promise<unknown>): Promise<string[]> {
    while (!this.printed.includes('last is queued')) {
      const [line] = await Promise.all([once(this.lines, 'line'), send()]);
      expect(line).toBeDefined();
    }
    return this.printed.splice(0).filter((line) => line !== 'last is queued');
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

interface Delivery {
  deliveryId?: string;
  id?: string;
  secrets?: string[];
  ageSeconds?: number;
  change?: (headers: Record<string, string>) => Record<string, string | undefined>;
  body?: (text: string) => string;
}

const genuine = { indexing_status: 'completed', filename: 'Größe ✓' };

describe.each(receivers)('the receiver in %s', (_name, program, file) => {
  const generated = generateSigningSecret();
  let receiver: Receiver;
  let url: string;
  let count = 0;

  beforeAll(async () => {
    [receiver, url] = await Receiver.start(program, file, generated);
  });
  afterAll(() => receiver.stop());

  async function deliver(delivery: Delivery = {}, to = url): Promise<number> {
    count += 1;
    const text = JSON.stringify({ ...genuine, id: delivery.id ?? 'item' });
    const headers = deliveryHeaders({
      deliveryId: delivery.deliveryId ?? `d${count}`,
      event: 'indexing.status_changed',
      body: Buffer.from(text),
      sentAt: new Date(Date.now() - (delivery.ageSeconds ?? 0) * 1000),
      secrets: delivery.secrets ?? [generated],
      headerPrefix: 'X-Service',
    });
    const changed = Object.entries(delivery.change?.(headers) ?? headers);
    const { status } = await fetch(to, {
      method: 'POST',
      headers: changed.filter((pair): pair is [string, string] => pair[1] !== undefined),
      body: Buffer.from(delivery.body?.(text) ?? text),
    });
    return status;
  }

  /** Sends a delivery's headers, and of its body nothing: the answer must not wait for it. */
  async function announce(headers: Record<string, string>): Promise<number | undefined> {
    const sent = request(url, { method: 'POST', headers });
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    sent.on('error', () => undefined).destroy();
    return response.statusCode;
  }

  const events = () =>
    receiver.events(() => {
      count += 1;
      const body = Buffer.from(JSON.stringify({ id: 'last', indexing_status: 'queued' }));
      const last = { deliveryId: `d${count}`, event: 'e', body, sentAt: new Date() };
      const headers = deliveryHeaders({ ...last, secrets: [generated], headerPrefix: 'X-Service' });
      return fetch(url, { method: 'POST', headers, body });
    });

  test('handles what is genuine, and a repetition only once', async () => {
    expect(await deliver({ deliveryId: 'once', id: 'first' })).toBe(204);
    expect(await deliver({ deliveryId: 'once', id: 'first' })).toBe(200);
    expect(await deliver({ deliveryId: 'other', id: 'second' })).toBe(204);
    expect(await events()).toEqual(['first is completed', 'second is completed']);
  });

  test('takes either of two signatures', async () => {
    const other = generateSigningSecret();
    expect(await deliver({ secrets: [other, generated], id: 'rotated' })).toBe(204);
    expect(await deliver({ secrets: [generated, other], id: 'rotated too' })).toBe(204);
    expect(await events()).toEqual(['rotated is completed', 'rotated too is completed']);
  });

  const forgeries: [name: string, delivery: Delivery][] = [
    ['signed with another secret', { secrets: [generateSigningSecret()] }],
    ['signed with the characters of the secret', { secrets: [generated.slice('whsec_'.length)] }],
    ['not signed', { secrets: [] }],
    ['with another body', { body: (text) => text.replace('completed', 'errored') }],
    ['with a space more', { body: (text) => `${text} ` }],
    ['with another id', { change: (headers) => ({ ...headers, 'webhook-id': 'another' }) }],
    ['without an id', { change: (headers) => ({ ...headers, 'webhook-id': undefined }) }],
    ['of old', { ageSeconds: 301 }],
    ['from the future', { ageSeconds: -400 }],
    [
      'of old under a new time',
      {
        ageSeconds: 600,
        change: (headers) => ({ ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }),
      },
    ],
    ['whose time is no number', { change: (headers) => ({ ...headers, 'webhook-timestamp': 'NaN' }) }],
    ['with a signature that is none', { change: (headers) => ({ ...headers, 'webhook-signature': 'v1,ä' }) }],
    [
      'with a signature of another version',
      {
        change: (headers) => ({
          ...headers,
          'webhook-signature': headers['webhook-signature']?.replace('v1,', 'v2,'),
        }),
      },
    ],
  ];
  test.each(forgeries)('refuses what is %s', async (_case, delivery) => {
    expect(await deliver({ ...delivery, id: 'forged' })).toBe(401);
    expect(await events()).toEqual([]);
  });

  test('reads no endless body, and answers POST only', async () => {
    expect(await announce({ 'content-length': '1000001' })).toBe(413);
    expect(await announce({ 'transfer-encoding': 'chunked' })).toBe(411);
    expect((await fetch(url)).status).toBeGreaterThanOrEqual(405);
    expect(await deliver()).toBe(204);
    expect(await events()).toEqual(['item is completed']);
  });

  test('takes a secret of the user`s own choosing', async () => {
    const chosen = 'a secret of my own, ä';
    const [second, itsUrl] = await Receiver.start(program, file, chosen);
    try {
      expect(await deliver({ secrets: [chosen] }, itsUrl)).toBe(204);
      expect(await deliver({ secrets: [generated] }, itsUrl)).toBe(401);
    } finally {
      await second.stop();
    }
  });
});
