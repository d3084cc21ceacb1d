import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Clock } from '../lib/clock.js';
import type { GuardedNetwork } from '../lib/guarded-network.js';
import type { AppAttachment, AppComment, AppKind, AppText, JsonObject } from '../sources/source.types.js';
import type { DocumentReaders } from './documents/document-readers.js';
import type { ConnectorCategory } from './management/connector-provider.types.js';

/** How a user proves access to an account. */
export type AuthType = 'none' | 'api_token' | 'oauth' | 'password' | 'access_key';

/**
 * A kind of account that connectors can read: one file, and a line in `providers.ts`. A provider knows its
 * application and nothing of databases, schedules or rows. It hands over what it reads page by page, and
 * keeps no state except in the cursor.
 */
interface AnyProvider {
  /** As in URLs and rows: `google-drive`. */
  readonly id: string;
  /** As shown to people: `Google Drive`. */
  readonly name: string;
  readonly category: `${ConnectorCategory}`;
  /** The first one is the default. */
  readonly authTypes: readonly [AuthType, ...AuthType[]];
  /** The default type of its resources: `channel`. */
  readonly resourceType: string;
  /** Whether it says who may read what. */
  readonly supportsAcl: boolean;
  /** Seconds between syncs, where they differ from those of most providers. */
  readonly interval?: { readonly default: number; readonly min: number; readonly max: number };
  /** The kinds of objects that become items: `message`, `page`. */
  readonly indexedObjectTypes: readonly string[];
  /** The fields of its items whose text is searched. */
  readonly searchableFields: readonly string[];
  /** The keys in its items' additional_metadata, besides those of every connector. */
  readonly filterableFields: readonly string[];
  /**
   * A strict schema, so that unknown keys are refused. Its fields have descriptions, from which clients make
   * a form.
   */
  readonly credentials: z.ZodObject;
  /** A strict schema of the filters that its resources take, except `lookback_days` and `may_be_empty`, which all have. */
  readonly filters: z.ZodObject;
  /** How to obtain the credentials, in Markdown. */
  readonly setupGuide: string;
  /** Makes a session; does not connect yet. */
  open(connection: Connection<never>): Session;
}

interface ProviderOf<Credentials> extends AnyProvider {
  readonly credentials: z.ZodObject & z.ZodType<Credentials>;
  open(connection: Connection<Credentials>): Session;
}

/** Without a type argument: a provider whose type of credentials is not known here. */
export type Provider<Credentials = never> = [Credentials] extends [never]
  ? AnyProvider
  : ProviderOf<Credentials>;

/** What a provider is given to work with. */
export interface Connection<Credentials> {
  readonly credentials: Credentials;
  /** An address that replaces the provider's own (CONNECTOR_<PROVIDER>_URL), without a slash at the end. */
  readonly baseUrl: string | undefined;
  /** The only access to the network: all requests go through its fetch, agents or addresses. */
  readonly network: GuardedNetwork;
  /** Where feeds, sitemaps and pages of strangers are read. */
  readonly documents: DocumentReaders;
  readonly clock: Clock;
  /** Absolute paths of the folders that the provider `filesystem` may read. */
  readonly filesystemRoots: readonly string[];
  /** Stores credentials that the provider has replaced (a rotated refresh token); to be awaited. */
  saveCredentials(credentials: Credentials): Promise<void>;
}

/** An account that is open for reading. Every method throws a ProviderError, or the signal's reason. */
export interface Session {
  /** Checks that the credentials are accepted, by the cheapest request that shows it. */
  check(signal: AbortSignal): Promise<void>;
  /** A page of what can be synced; an empty cursor begins. */
  discover(page: { cursor: string; limit: number }, signal: AbortSignal): Promise<DiscoveredPage>;
  /** Describes one resource by reading it, so that a refused or missing one is found here. */
  describe(resourceId: string, signal: AbortSignal): Promise<DiscoveredResource>;
  /**
   * The next page of what is new. An empty cursor begins at `oldest`; the cursor of the last page (`more:
   * false`) begins the next sync. A cursor stands for its page: read again, even by another process, it gives
   * the same entries or newer ones.
   */
  read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page>;
  /**
   * The next page of a walk through everything since `oldest`, which finds edits and deletions that `read`
   * does not report: what a whole walk has not shown is gone. It has cursors of its own; an empty one begins.
   * Absent where `read` shows everything (`coverage: 'all'`), or where something that disappears still holds
   * (entries of a feed).
   */
  walk?(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page>;
  /** Who may read the entries without a list of their own; undefined for everyone. Asked once per sync. */
  readers?(resource: ResourceScope, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Closes the session's own connections; those of the network are not its own. */
  close(): Promise<void>;
}

export interface DiscoveredPage {
  readonly resources: readonly DiscoveredResource[];
  /** Null when there are no more. */
  readonly nextCursor: string | null;
}

export interface DiscoveredResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** What clients may show about it. */
  readonly metadata: JsonObject;
}

/** What reading needs to know of a resource. */
export interface ResourceScope {
  readonly id: string;
  readonly type: string;
  /** Things that were last changed before this are not read. */
  readonly oldest: Date;
  /** Already checked against `Provider.filters`. */
  readonly filters: JsonObject;
}

/** A page of entries, some hundred at most. */
export interface Page {
  readonly entries: readonly Entry[];
  /** Native ids of things that the provider reports as gone. */
  readonly deleted?: readonly string[];
  /** Native ids of what fewer people may see now than the rest: it goes even where deletions are ignored. */
  readonly hidden?: readonly string[];
  /** What exists, or may exist, and could not be listed: a walk spares it, though it shows nothing of it. */
  readonly unlisted?: readonly Unlisted[];
  /** Where the next page begins. Opaque; at most 1 MiB, and stored with every page. */
  readonly cursor: string;
  readonly more: boolean;
  /**
   * Only for `read`. `all`: every sync shows everything that exists, so what a whole one has not shown is
   * gone. `changes` (default): it shows new and changed things, and `deleted`.
   */
  readonly coverage?: 'all' | 'changes';
  /**
   * Only for the last page of `read`: whether the resource is archived, so that nothing is added for now. It is
   * still read in every sync: its readers change, things in it go, and it may be opened again.
   */
  readonly isArchived?: boolean;
}

/** A part of a resource that could not be listed. */
export interface Unlisted {
  /** How the native ids of what is in it begin; empty for all that the walk has not shown yet. */
  readonly idPrefix: string;
  /** Only those of them that are less than this, character by character; all, without it. */
  readonly idBefore?: string;
  /** Why, for the user. */
  readonly problem: string;
}

/** One thing that exists at the provider. */
export interface Entry {
  /** Its native id, unique in the account: channel and time of a message, not the time alone. */
  readonly id: string;
  /**
   * Its id if another thing has `id`: senders choose Message-IDs, and may choose a known one. Without it, an entry with
   * the id of a known one and another version is what that has become.
   */
  readonly ownId?: string;
  /**
   * Differs when the thing has changed (an ETag, a time). An entry whose version is known is not loaded; one
   * without a version always is.
   */
  readonly version?: string;
  /** Who may read it: `user_email:a@b`, `group:engineering`, `public`. Absent: as for the resource. */
  readonly readers?: readonly string[];
  /** Loads its content; undefined when none is worth keeping. Called at once or not at all. */
  load(signal: AbortSignal): Promise<Item | undefined>;
}

/**
 * The content of an entry. Ids in `fields` (thread_id, parent_id, reply_to_id …) are native ids of the
 * account.
 */
export interface Item {
  readonly kind: AppKind;
  readonly title?: string;
  readonly description?: string;
  readonly url?: string;
  /** A free category, for display. */
  readonly type?: string;
  /** When it was written; ISO-8601. */
  readonly timestamp?: string;
  /** Fields by kind: see `AppKnowledgeInput.fields`. */
  readonly fields: JsonObject;
  readonly content?: AppText;
  readonly attachments?: readonly Partial<AppAttachment>[];
  readonly comments?: readonly (Partial<AppComment> & Pick<AppComment, 'body'>)[];
  /** A file that is parsed as if it had been uploaded, and is the item's text. At most 50 MB are read. */
  readonly file?: ItemFile;
  /** Native ids for additional_metadata, such as `channel_id`; short strings. */
  readonly native: Readonly<Record<string, string>>;
}

export interface ItemFile {
  /** With the extension that says what kind of file it is. */
  readonly filename: string;
  readonly contentType?: string;
  /** Called once, soon. */
  open(signal: AbortSignal): Promise<Readable | Buffer>;
}

/**
 * Why a provider did not do what it was asked. The message is written for the user, and holds no secret.
 * - `credentials`: they were rejected; trying again cannot help.
 * - `reauth`: the OAuth refresh token was rejected; somebody has to sign in again.
 * - `refused`: this account may not read this resource.
 * - `missing`: the resource is not there, for now or for good: it is looked for again for days.
 * - `limited`: too many requests; wait for `retryAfterSeconds`.
 * - `unavailable`: out of order or unreachable; worth another try.
 * - `expired`: the cursor is too old; reading begins from the start.
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
