import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Config } from '../config.js';
import { currentSignal, isTimeout } from '../lib/cancellation.js';
import { forEachConcurrently } from '../lib/for-each-concurrently.js';
import { UnsatisfiableRange, cutOf, rangeHeader } from './byte-range.js';
import type { ByteRange, Cut } from './byte-range.js';
import { momentAgo } from './older-files.js';
import { newOriginalKey, unclaimedAfterMs } from './originals.js';
import type { OpenedFile, Originals } from './originals.js';
import { regionOf } from './s3-region.js';
import { StorageFailure } from './storage-failure.js';
import type { ReceivedFile, UploadSpool } from './upload-spool.js';

const connectionMsMax = 5000;
// Of silence: a transfer may take as long as it makes progress.
const silenceMsMax = 30_000;
const removedAtOnce = 8;
const uploadAttempts = 2;
const pageKeysMax = 1000;
const prefix = 'files/';
const keyPattern = /^[0-9a-f]{2}\/[0-9a-f-]{36}$/;

const discard = () => undefined;
const silentLogger = { trace: discard, debug: discard, info: discard, warn: discard, error: discard };

/** Originals in a bucket of any S3-compatible server, as `files/<key>`: the layout of `DATA_DIR/files`. */
export class S3Originals implements Originals {
  readonly isShared = true;
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor(
    { url, bucket, accessKeyId, secretAccessKey }: S3Config,
    private readonly spool: UploadSpool,
  ) {
    this.bucket = bucket;
    this.client = new S3Client({
      endpoint: url,
      forcePathStyle: true,
      region: regionOf(url),
      credentials: { accessKeyId, secretAccessKey },
      // Many servers do not know the newer checksums; the signed SHA-256 protects an upload.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: connectionMsMax, socketTimeout: silenceMsMax },
      // Failures are logged by whoever they reach.
      logger: silentLogger,
    });
  }

  async keep(file: ReceivedFile): Promise<string> {
    const key = newOriginalKey();
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.upload(key, file);
        return key;
      } catch (error) {
        // The SDK never sends a stream twice, and a connection that the server closed while idle would fail
        // an upload.
        // After a timeout another try would keep the caller waiting.
        if (attempt === uploadAttempts || isTimeout(error)) throw new StorageFailure(error);
      }
    }
  }

  async open(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    // The request's signal ends only the wait for the head of the answer; the body may take longer than a
    // deadline.
    const controller = new AbortController();
    const signal = currentSignal();
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const asked = await this.fromTheFront(key, range);
      const object = await this.client.send(
        new GetObjectCommand({
          Bucket: this.bucket,
          Key: prefix + key,
          Range: asked && rangeHeader(asked),
        }),
        { abortSignal: controller.signal },
      );
      const whole = { sizeBytes: object.ContentLength ?? 0, cut: undefined };
      return { ...(readContentRange(object.ContentRange) ?? whole), stream: object.Body as Readable };
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (error instanceof UnsatisfiableRange) throw error;
      if (isUnsatisfiable(error)) throw new UnsatisfiableRange((await this.sizeOf(key)) ?? 0);
      throw new StorageFailure(error);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async withCopy<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result | undefined> {
    const object = await this.open(key);
    if (!object) return undefined;
    const path = this.spool.newPath();
    try {
      await pipeline(object.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch(
        (cause: unknown) => {
          throw new StorageFailure(cause);
        },
      );
      return await use(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    // One by one: not every server accepts many in one request.
    await forEachConcurrently(keys, removedAtOnce, async (key) => {
      await this.send(() =>
        this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: prefix + key })),
      );
    });
  }

  async *keysKeptLongAgo(): AsyncGenerator<string[]> {
    let token: string | undefined;
    do {
      const page = await this.send(() =>
        this.client.send(
          new ListObjectsV2Command({
            Bucket: this.bucket,
            Prefix: prefix,
            MaxKeys: pageKeysMax,
            ContinuationToken: token,
          }),
        ),
      );
      const newest = momentAgo(unclaimedAfterMs);
      yield (page.Contents ?? []).flatMap(({ Key: name, LastModified: kept }) => {
        const key = name?.slice(prefix.length) ?? '';
        return kept && kept.getTime() < newest && keyPattern.test(key) ? [key] : [];
      });
      token = page.NextContinuationToken;
    } while (token);
  }

  async owner(): Promise<string | undefined> {
    const object = await this.open('owner');
    if (!object) return undefined;
    return this.send(async () => {
      let text = '';
      for await (const part of object.stream.setEncoding('utf8')) text += String(part);
      return text;
    });
  }

  async claim(owner: string): Promise<void> {
    if ((await this.owner()) !== undefined) return;
    await this.send(() =>
      this.client.send(new PutObjectCommand({ Bucket: this.bucket, Key: `${prefix}owner`, Body: owner })),
    );
  }

  async probe(signal?: AbortSignal): Promise<void> {
    await this.send(() =>
      this.client.send(new HeadBucketCommand({ Bucket: this.bucket }), signal ? { abortSignal: signal } : {}),
    );
  }

  close(): void {
    this.client.destroy();
  }

  /** Asks for the end of a file by byte positions, since not every server counts from the end. */
  private async fromTheFront(key: string, range: ByteRange | undefined): Promise<ByteRange | undefined> {
    if (range?.first !== undefined || !range) return range;
    const sizeBytes = await this.sizeOf(key);
    return sizeBytes === undefined ? undefined : cutOf(range, sizeBytes);
  }

  /** The size of an object; undefined when it, or the bucket, does not exist. */
  private async sizeOf(key: string): Promise<number | undefined> {
    const command = new HeadObjectCommand({ Bucket: this.bucket, Key: prefix + key });
    try {
      return (await this.client.send(command)).ContentLength;
    } catch (error) {
      if (error instanceof Error && error.name === 'NotFound') return undefined;
      throw new StorageFailure(error);
    }
  }

  private async upload(key: string, { temporaryPath, bytes, sha256 }: ReceivedFile): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: prefix + key,
      Body: createReadStream(temporaryPath),
      ContentLength: bytes,
    });
    // The hash is known already; the SDK would read the file once more to sign it.
    command.middlewareStack.add(
      (next) => (given) => {
        (given.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
        return next(given);
      },
      { step: 'build', name: 'known-sha256' },
    );
    const { ETag: isStored } = await this.client.send(command);
    // A proxy in between may answer 200 with a page of its own.
    if (isStored === undefined) throw new Error('the answer to an upload has no ETag');
  }

  private async send<Result>(request: () => Promise<Result>): Promise<Result> {
    return request().catch((cause: unknown) => {
      throw new StorageFailure(cause);
    });
  }
}

/** Whether this object does not exist; a missing bucket says nothing about an object. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchKey';
}

function isUnsatisfiable(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidRange';
}

/** What a Content-Range header says; undefined without one, when the answer is the whole object. */
function readContentRange(header: string | undefined): { sizeBytes: number; cut: Cut } | undefined {
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? '') ?? [];
  return first === undefined
    ? undefined
    : { sizeBytes: Number(size), cut: { first: Number(first), last: Number(last) } };
}
