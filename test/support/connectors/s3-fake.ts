import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { S3Store } from '../s3-store.js';
import type { FakeFailure, ProviderFake } from './provider-fake.js';

const bucket = 'papers';

export interface S3Fake extends ProviderFake {
  readonly bucket: string;
  /** `packing`: how the content is packed, as it is told. */
  put(key: string, content: string | Buffer, packing?: string): Promise<void>;
  /** Paths with queries, as they were asked for. */
  readonly asked: readonly string[];
  /** What listings say instead. */
  rewrite: ((xml: string) => string) | undefined;
}

async function sendRewritten(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  rewrite: (xml: string) => string,
): Promise<void> {
  const headers = { ...answer.headers };
  delete headers['content-length'];
  outgoing.writeHead(answer.statusCode ?? 500, headers).end(rewrite(await text(answer)));
}

/** A real S3 server (s3rver), behind a door that counts, and that can be shut. */
export async function startS3Fake(): Promise<S3Fake> {
  const store = await S3Store.start();
  const asked: string[] = [];
  let failure: { answer: FakeFailure; times: number } | undefined;
  let rewrite: ((xml: string) => string) | undefined;
  const door = createServer((incoming, outgoing) => {
    asked.push(incoming.url ?? '');
    if (failure && failure.times > 0) {
      failure.times -= 1;
      const { status, retryAfterSeconds } = failure.answer;
      outgoing.writeHead(status, {
        'content-type': 'application/xml',
        ...(retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {}),
      });
      outgoing.end(`<Error><Code>Code${status}</Code><Message>as the test wants it</Message></Error>`);
      return;
    }
    const { method, url, headers } = incoming;
    const inner = request(`${store.environment['S3_URL']}${url}`, { method, headers }, (answer) => {
      if (rewrite && url?.includes('list-type=2')) return void sendRewritten(answer, outgoing, rewrite);
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  const credentials = { endpoint, access_key_id: 'S3RVER', secret_access_key: 'S3RVER' };
  const writer = new S3Client({
    endpoint: `${store.environment['S3_URL']}`,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await writer.send(new CreateBucketCommand({ Bucket: bucket }));
  const put = async (key: string, content: string | Buffer, packing?: string) => {
    const size = { ContentLength: Buffer.byteLength(content) };
    const packed = packing === undefined ? {} : { ContentEncoding: packing };
    await writer.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content, ...size, ...packed }));
  };
  let objects = 0;
  return {
    bucket,
    put,
    asked,
    baseUrl: undefined,
    credentials,
    wrongCredentials: { ...credentials, secret_access_key: 'another' },
    resource: { id: bucket, type: 'bucket' },
    missingResourceId: 'no-such-bucket',
    get rewrite() {
      return rewrite;
    },
    set rewrite(next) {
      rewrite = next;
    },
    get requests() {
      return asked.length;
    },
    add: async (count, word) => {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) {
        objects += 1;
        const key = `notes/note-${objects}.txt`;
        await put(key, `The ${word} in note ${objects}.`);
        ids.push(`${bucket}/${key}`);
      }
      return ids;
    },
    edit: (id, word) => put(id.slice(bucket.length + 1), `The ${word} is another.`),
    remove: async (id) => {
      await writer.send(new DeleteObjectCommand({ Bucket: bucket, Key: id.slice(bucket.length + 1) }));
    },
    fail: (answer, times) => void (failure = { answer, times }),
    close: async () => {
      writer.destroy();
      door.closeAllConnections();
      door.close();
      await store.goAway();
    },
  };
}
