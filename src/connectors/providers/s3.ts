import { z } from 'zod';
import { readCursor } from '../cursor.js';
import { fileFilters, isWantedFile } from '../file-filters.js';
import { nativeId, shortNative } from '../native-id.js';
import { ProviderError } from '../provider.js';
import type {
  Connection,
  DiscoveredPage,
  DiscoveredResource,
  Entry,
  ItemFile,
  Page,
  Provider,
  ResourceScope,
  Session,
} from '../provider.js';
import { S3Account } from './s3/account.js';
import type { ListedObject } from './s3/account.js';

const resourceType = 'bucket';
const pageKeys = 200;
/** Storage classes whose objects must be restored before they can be read. */
const archived = new Set(['GLACIER', 'DEEP_ARCHIVE']);

/**
 * The key after which reading continues; empty when everything was read, so that the next sync begins again.
 */
const position = z.object({ after: z.string() });
type Position = z.infer<typeof position>;

const text = z.string().trim().min(1);
const credentials = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://minio.example.com' })
    .trim()
    .optional()
    .describe('Where the server is, e.g. https://minio.example.com. Default: Amazon S3.'),
  region: text.optional().describe('e.g. eu-west-1. Default: what the endpoint names, else us-east-1.'),
  access_key_id: text.describe('Access key ID'),
  secret_access_key: text.describe('Secret access key'),
});
export type S3Credentials = z.infer<typeof credentials>;

/** Buckets of Amazon S3 and of servers that speak its language; each object is a file. */
export const s3: Provider<S3Credentials> = {
  id: 's3',
  name: 'Amazon S3',
  category: 'files',
  authTypes: ['access_key'],
  resourceType,
  supportsAcl: false,
  indexedObjectTypes: ['file'],
  searchableFields: ['title', 'content'],
  filterableFields: ['bucket', 'key'],
  credentials,
  filters: fileFilters,
  setupGuide: `1. In IAM make a user for this connector, with the actions \`s3:ListBucket\` on the bucket and \`s3:GetObject\` on its objects;
   \`s3:ListAllMyBuckets\` too, if buckets are to be found rather than named.
2. Make an access key for it, and enter its two parts.
3. For a server other than Amazon's (MinIO, Ceph, R2) enter its \`endpoint\`.

A resource is a bucket, \`reports\`, or a folder in one, \`reports/2026\`. Left out are hidden files and folders, kinds of files
that cannot be read, files of more than 50 MB and objects that are archived (Glacier); what was read before that stays.`,
  open: (connection) => new S3Session(connection),
};

class S3Session implements Session {
  private readonly account: S3Account;

  constructor(connection: Connection<S3Credentials>) {
    this.account = new S3Account(connection);
  }

  async check(signal: AbortSignal): Promise<void> {
    try {
      await this.account.buckets(signal);
    } catch (error) {
      // If only listing buckets is forbidden, the key itself was accepted.
      if (!(error instanceof ProviderError && error.kind === 'refused')) throw error;
    }
  }

  async discover(
    { cursor, limit }: { cursor: string; limit: number },
    signal: AbortSignal,
  ): Promise<DiscoveredPage> {
    const buckets = (await this.account.buckets(signal)).filter((bucket) => bucket > cursor).sort();
    const shown = buckets.slice(0, limit);
    const last = buckets.length > limit ? shown.at(-1) : undefined;
    return { resources: shown.map(bucketResource), nextCursor: last ?? null };
  }

  async describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource> {
    await this.account.list({ ...placeOf(resourceId), after: '', keysMax: 1 }, signal);
    return bucketResource(resourceId);
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    const { bucket, prefix } = placeOf(resource.id);
    const filters = fileFilters.parse(resource.filters);
    const after = readCursor(cursor, position)?.after ?? '';
    const { objects, last } = await this.account.list({ bucket, prefix, after, keysMax: pageKeys }, signal);
    const next: Position = { after: last ?? '' };
    const wanted = objects.filter(({ key, bytes, modifiedAt }) =>
      isWantedFile({ path: key.slice(prefix.length), bytes, modifiedAt }, filters),
    );
    return {
      entries: wanted.map((object) => this.entry(bucket, object)),
      cursor: JSON.stringify(next),
      more: last !== undefined,
      coverage: 'all',
    };
  }

  async close(): Promise<void> {}

  /** An archived object cannot be read, but stays as it was read before, even if archiving it has changed its ETag. */
  private entry(
    bucket: string,
    { key, bytes, modifiedAt, etag = modifiedAt.toISOString(), storageClass }: ListedObject,
  ): Entry {
    const name = key.slice(key.lastIndexOf('/') + 1);
    const [id, version] = [nativeId(`${bucket}/${key}`), `${etag}-${bytes}`];
    if (archived.has(storageClass))
      return { id, version, load: () => Promise.reject(inArchive(storageClass)) };
    return {
      id,
      version,
      load: async () => ({
        kind: 'custom',
        title: name,
        url: `s3://${bucket}/${key}`,
        type: 'file',
        timestamp: modifiedAt.toISOString(),
        fields: {},
        file: this.file(bucket, key),
        native: shortNative({ bucket, key }),
      }),
    };
  }

  private file(bucket: string, key: string): ItemFile {
    return {
      filename: key.slice(key.lastIndexOf('/') + 1),
      open: (signal) => this.account.open(bucket, key, signal),
    };
  }
}

function inArchive(storageClass: string): ProviderError {
  return new ProviderError(
    'refused',
    `it is archived (${storageClass}), and cannot be read until it is restored`,
  );
}

/** The bucket of a resource, and the prefix of its keys. */
function placeOf(resourceId: string): { bucket: string; prefix: string } {
  const [bucket = '', ...folders] = resourceId.split('/');
  if (bucket === '') throw new ProviderError('missing', 'a bucket is needed, e.g. reports or reports/2026');
  const folder = folders.join('/').replace(/\/+$/, '');
  return { bucket, prefix: folder === '' ? '' : `${folder}/` };
}

function bucketResource(id: string): DiscoveredResource {
  return { id, name: id, type: resourceType, metadata: {} };
}
