import { Readable, pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type * as S3 from '@aws-sdk/client-s3';
import { LIMITS } from '../../../limits.js';
import { regionOf } from '../../../storage/s3-region.js';
import { ProviderError } from '../../provider.js';
import type { Connection } from '../../provider.js';
import type { S3Credentials } from '../s3.js';
import { noListOf } from '../../provider-http.js';
import { failureOfS3, isSkewed } from './failure.js';

const connectionMsMax = 10_000;
// The longest silence.
const silenceMsMax = 60_000;

const discard = () => undefined;
const silentLogger = { trace: discard, debug: discard, info: discard, warn: discard, error: discard };

/** An object in a listing. */
export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** Not every server gives one. */
  readonly etag?: string | undefined;
  readonly storageClass: string;
}

interface Listing {
  readonly objects: readonly ListedObject[];
  /** The last key, if there are more after it. */
  readonly last: string | undefined;
}

type Sdk = typeof S3;

/**
 * The requests that are made of an account. Every method throws ProviderError, or the signal's reason when it
 * is aborted.
 */
export class S3Account {
  private connected: Promise<{ sdk: Sdk; client: S3.S3Client }> | undefined;

  constructor(private readonly connection: Connection<S3Credentials>) {}

  async buckets(signal: AbortSignal): Promise<string[]> {
    return this.ask(signal, async ({ sdk, client }) => {
      const { Buckets: buckets } = await client.send(new sdk.ListBucketsCommand({}), {
        abortSignal: signal,
      });
      if (!buckets) throw noListOf('Amazon S3', 'a list without buckets');
      return buckets.flatMap(({ Name: name }) => name ?? []);
    });
  }

  /**
   * Lists keys after one, in the order of their bytes. A key, unlike a token of the server, stays valid as a
   * position.
   */
  async list(
    { bucket, prefix, after, keysMax }: { bucket: string; prefix: string; after: string; keysMax: number },
    signal: AbortSignal,
  ): Promise<Listing> {
    const { objects, isTruncated } = await this.ask(signal, async ({ sdk, client }) => {
      const listing = await client.send(
        new sdk.ListObjectsV2Command({
          Bucket: bucket,
          ...(prefix !== '' && { Prefix: prefix }),
          ...(after !== '' && { StartAfter: after }),
          MaxKeys: keysMax,
          // Keys may contain characters that XML does not allow.
          EncodingType: 'url',
        }),
        { abortSignal: signal },
      );
      return { objects: objectsOf(listing), isTruncated: listing.IsTruncated };
    });
    // The client reads any XML or nothing at all as an empty listing, after which everything would be deleted.
    if (isTruncated === undefined || (isTruncated && objects.length === 0))
      throw noListOf('Amazon S3', 'something that is no listing');
    const last = isTruncated ? objects.at(-1)?.key : undefined;
    if (last !== undefined && Buffer.compare(Buffer.from(last), Buffer.from(after)) <= 0)
      throw new ProviderError('unavailable', 'Amazon S3: the server does not list keys in order');
    return { objects, last };
  }

  /** The content of an object, up to 50 MB. */
  async open(bucket: string, key: string, signal: AbortSignal): Promise<Readable> {
    const { Body, ETag, ContentEncoding } = await this.ask(signal, ({ sdk, client }) =>
      client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal: signal }),
    );
    const body = Body as Readable;
    // The page of a proxy has none, and would be stored as the object.
    if (ETag === undefined) {
      body.destroy();
      throw new ProviderError('unavailable', 'Amazon S3 answered something that is no object');
    }
    return Readable.from(bounded(unpacked(body, ContentEncoding), signal), { objectMode: false });
  }

  private async ask<Answer>(
    signal: AbortSignal,
    request: (opened: { sdk: Sdk; client: S3.S3Client }) => Promise<Answer>,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const opened = await (this.connected ??= this.connect());
    try {
      return await request(opened).catch((error: unknown) => {
        // From such an answer the client learns how far our clock is off, and signs with the server's time from then on.
        if (isSkewed(error) && !signal.aborted) return request(opened);
        throw error;
      });
    } catch (error) {
      signal.throwIfAborted();
      throw failureOfS3(error);
    }
  }

  private async connect(): Promise<{ sdk: Sdk; client: S3.S3Client }> {
    const sdk = await import('@aws-sdk/client-s3');
    const { credentials, baseUrl, network } = this.connection;
    const endpoint = baseUrl ?? credentials.endpoint;
    const client = new sdk.S3Client({
      ...(endpoint === undefined ? { followRegionRedirects: true } : { endpoint }),
      region: credentials.region ?? regionOf(endpoint ?? 'https://s3.amazonaws.com'),
      forcePathStyle: true,
      credentials: {
        accessKeyId: credentials.access_key_id,
        secretAccessKey: credentials.secret_access_key,
      },
      maxAttempts: 1,
      responseChecksumValidation: 'WHEN_REQUIRED',
      // The agents are shared, and destroying the client would end them; so it is never destroyed.
      requestHandler: {
        httpAgent: network.httpAgent,
        httpsAgent: network.httpsAgent,
        connectionTimeout: connectionMsMax,
        socketTimeout: silenceMsMax,
      },
      logger: silentLogger,
    });
    return { sdk, client };
  }
}

function objectsOf({
  Contents: contents = [],
  EncodingType: encoding,
}: S3.ListObjectsV2CommandOutput): ListedObject[] {
  return contents.flatMap(({ Key, Size, LastModified, ETag, StorageClass }) =>
    Key === undefined || !LastModified
      ? []
      : {
          // Not every server encodes keys as requested.
          key: encoding === 'url' ? decodeURIComponent(Key.replaceAll('+', ' ')) : Key,
          bytes: Size ?? 0,
          modifiedAt: LastModified,
          etag: ETag?.replaceAll('"', ''),
          storageClass: StorageClass ?? '',
        },
  );
}

/** What packs an object, by the names of `Content-Encoding`. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The file in an object that was stored as it goes over the wire, as files of websites are; the last packing first. */
function unpacked(body: Readable, encoding = ''): Readable {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  return names.reverse().reduce<Readable>((stream, name) => {
    const unpacker = Object.hasOwn(unpackers, name) ? unpackers[name]?.() : undefined;
    // A failure of one end is told at the other, where it is read.
    return unpacker ? pipeline(stream, unpacker, discard) : stream;
  }, body);
}

/** Yields the content until it is too large; the file may have grown since it was listed. */
async function* bounded(body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      bytes += part.length;
      yield part;
      if (bytes > LIMITS.fileBytesMax) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw failureOfS3(error);
  }
}
