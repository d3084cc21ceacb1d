import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Clock } from '../lib/clock.js';
import type { GuardedNetwork } from '../lib/guarded-network.js';
import type { AppAttachment, AppComment, AppKind, AppText, JsonObject } from '../sources/source.types.js';

/** How an account is entered. */
export type AuthType = 'none' | 'api_token' | 'oauth' | 'password' | 'access_key';

/**
 * A kind of account that connectors read: one file, and a line in `providers.ts`. It knows its application and nothing of
 * databases, schedules or rows; what it reads it hands over page by page, and it keeps no state but the cursor.
 */
interface AnyProvider {
  /** As in URLs and rows: `google-drive`. */
  readonly id: string;
  /** As people write it: `Google Drive`. */
  readonly name: string;
  readonly category: 'files' | 'messaging' | 'email' | 'code' | 'tickets' | 'wiki' | 'web';
  /** The first is what a connector has when nobody says. */
  readonly authTypes: readonly [AuthType, ...AuthType[]];
  /** What its resources are, when nobody says: `channel`. */
  readonly resourceType: string;
  /** Whether it tells who may read what. */
  readonly supportsAcl: boolean;
  /** Seconds between syncs, where not as for most. */
  readonly interval?: { readonly default: number; readonly min: number; readonly max: number };
  /** What becomes items: `message`, `page`. */
  readonly indexedObjectTypes: readonly string[];
  /** Fields of its items whose text is searched. */
  readonly searchableFields: readonly string[];
  /** Keys of additional_metadata that its items carry beside those of every connector. */
  readonly filterableFields: readonly string[];
  /** Strict: an unknown key is a mistake. Described, because clients make a form of it. */
  readonly credentials: z.ZodType;
  /** Its own filters of a resource, strict. `lookback_days` is everybody's and not among them. */
  readonly filters: z.ZodObject;
  /** How to get the credentials, in Markdown. */
  readonly setupGuide: string;
  /** Does not connect yet. */
  open(connection: Connection<never>): Session;
}

interface ProviderOf<Credentials> extends AnyProvider {
  readonly credentials: z.ZodType<Credentials>;
  open(connection: Connection<Credentials>): Session;
}

/** Without a type argument: one whose credentials are not known here. */
export type Provider<Credentials = never> = [Credentials] extends [never]
  ? AnyProvider
  : ProviderOf<Credentials>;

/** What a provider works with. */
export interface Connection<Credentials> {
  readonly credentials: Credentials;
  /** Replaces where the provider is (CONNECTOR_<PROVIDER>_URL), without a slash at the end. */
  readonly baseUrl: string | undefined;
  /** The only way out: all requests go through its fetch, agents or addresses. */
  readonly network: GuardedNetwork;
  readonly clock: Clock;
  /** Absolute folders that the provider `filesystem` may read. */
  readonly filesystemRoots: readonly string[];
  /** Keeps credentials that the provider has replaced (a rotated refresh token); to be awaited. */
  saveCredentials(credentials: Credentials): Promise<void>;
}

/** An account that is being read. Every method throws ProviderError, or what the signal says. */
export interface Session {
  /** Whether the credentials are accepted, by the cheapest request that tells. */
  check(signal: AbortSignal): Promise<void>;
  /** What there is to sync, a page. An empty cursor begins. */
  discover(page: { cursor: string; limit: number }, signal: AbortSignal): Promise<DiscoveredPage>;
  /** One resource, which is read for that: what is refused or missing is found here. */
  describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource>;
  /**
   * The next page of what is new. An empty cursor begins at `oldest`; the cursor of the last page (`more: false`) begins the
   * next sync. A cursor stands for its page: read again, even by another process, it gives the same or what is newer.
   */
  read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page>;
  /**
   * Walks all that exists since `oldest`, for edits and deletions that `read` does not tell: what a whole walk has not shown is
   * gone. Cursors of its own, an empty one begins. Absent where `read` tells everything (`tells: 'all'`), or where
   * what is gone from it still stands (a feed).
   */
  walk?(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page>;
  /** Who may read what has no list of its own in this resource; undefined: everyone. Asked once a sync. */
  readers?(resource: ResourceScope, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Ends its connections; those of the network are not its own. */
  close(): Promise<void>;
}

export interface DiscoveredPage {
  readonly resources: readonly DiscoveredResource[];
  /** Null: no more. */
  readonly nextCursor: string | null;
}

export interface DiscoveredResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** What a client may show of it. */
  readonly metadata: JsonObject;
}

/** A resource as far as reading it goes. */
export interface ResourceScope {
  readonly id: string;
  readonly type: string;
  /** Nothing that was last changed before it is read. */
  readonly oldest: Date;
  /** Checked against `Provider.filters`. */
  readonly filters: JsonObject;
}

/** At most some hundred entries. */
export interface Page {
  readonly entries: readonly Entry[];
  /** Native ids of what is said to be gone. */
  readonly deleted?: readonly string[];
  /** Where the next page begins, opaque; at most 1 MiB, and read and written with every page. */
  readonly cursor: string;
  readonly more: boolean;
  /**
   * Of `read`. `all`: every sync shows everything that exists, so what a whole one has not shown is gone;
   * `changes` (default): new and changed things, and `deleted`.
   */
  readonly tells?: 'all' | 'changes';
  /** The last page: nothing will ever be added (an archived channel); the resource is not read again. */
  readonly isFinal?: boolean;
}

/** One thing that exists. */
export interface Entry {
  /** Native, unique in the account: channel and time of a message, not the time alone. */
  readonly id: string;
  /** What changes when it changes (an ETag, a time); an entry whose version is known is not loaded. Absent: always loaded. */
  readonly version?: string;
  /** Who may read it: `user_email:a@b`, `group:engineering`, `public`; absent: as the resource says. */
  readonly readers?: readonly string[];
  /** Its content; undefined when there is none worth keeping. Called at once or not at all. */
  load(signal: AbortSignal): Promise<Item | undefined>;
}

/** The content of an entry. Ids in `fields` (thread_id, parent_id, reply_to_id …) are native ids of the account. */
export interface Item {
  readonly kind: AppKind;
  readonly title?: string;
  readonly description?: string;
  readonly url?: string;
  /** A free category for display. */
  readonly type?: string;
  /** ISO-8601: when it was written. */
  readonly timestamp?: string;
  /** By kind: see `AppKnowledgeInput.fields`. */
  readonly fields: JsonObject;
  readonly content?: AppText;
  readonly attachments?: readonly Partial<AppAttachment>[];
  readonly comments?: readonly (Partial<AppComment> & Pick<AppComment, 'body'>)[];
  /** A file that is parsed as if it had been uploaded; it is the text of the item. At most 50 MB are read. */
  readonly file?: ItemFile;
  /** Native ids, for additional_metadata: `channel_id`. Short strings. */
  readonly native: Readonly<Record<string, string>>;
}

export interface ItemFile {
  /** With the extension that says what it is. */
  readonly filename: string;
  readonly contentType?: string;
  /** Called once, soon. */
  open(signal: AbortSignal): Promise<Readable | Buffer>;
}

/**
 * Why a provider did not do what it was asked; the message is for the user to act on and holds no secret.
 * - `credentials`: rejected; retrying cannot help.
 * - `reauth`: the OAuth refresh token was rejected; somebody has to sign in again.
 * - `refused`: this account may not read this resource.
 * - `missing`: the resource is not there, for now or for good: it is looked for again for days.
 * - `limited`: too many requests; wait for `retryAfterSeconds`.
 * - `unavailable`: out of order, or not to be reached; worth another try.
 * - `expired`: the cursor is too old; reading begins anew.
 */
export type ProviderFailure =
  'credentials' | 'reauth' | 'refused' | 'missing' | 'limited' | 'unavailable' | 'expired';

export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly retryAfterSeconds: number | undefined;
  readonly httpStatus: number | undefined;

  constructor(
    readonly kind: ProviderFailure,
    message: string,
    options: {
      retryAfterSeconds?: number | undefined;
      httpStatus?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.httpStatus = options.httpStatus;
  }
}
