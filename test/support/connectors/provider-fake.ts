import type { Provider, ResourceScope } from '../../../src/connectors/provider.js';
import type { JsonObject } from '../../../src/sources/source.types.js';

/** How a fake answers instead of its own way. */
export interface FakeFailure {
  readonly status: number;
  readonly retryAfterSeconds?: number;
}

/** An account of a provider on loopback: the part of its API that we use, or the real server. Nothing in it sleeps. */
export interface ProviderFake {
  /** What CONNECTOR_<PROVIDER>_URL is; undefined where the credentials or the resource say where the server is. */
  readonly baseUrl: string | undefined;
  readonly credentials: JsonObject;
  /** What it rejects; undefined where there are no credentials. */
  readonly wrongCredentials: JsonObject | undefined;
  /** A resource that is there from the beginning, empty. */
  readonly resource: Pick<ResourceScope, 'id' | 'type'> & { readonly filters?: JsonObject };
  /** A resource id that names nothing; undefined where that cannot be told. */
  readonly missingResourceId: string | undefined;
  /** Folders for FILESYSTEM_ROOTS. */
  readonly filesystemRoots?: readonly string[];
  /** Requests that were answered; undefined where nobody counts. */
  readonly requests: number | undefined;
  /** Adds so many objects to the resource, `word` in the text of each, later than all before; returns their native ids. */
  add(count: number, word: string): Promise<string[]>;
  /** Writes another text into an object; undefined where objects never change, as mails. */
  readonly edit: ((id: string, word: string) => Promise<void>) | undefined;
  remove(id: string): Promise<void>;
  /** The next so many requests are answered so; undefined where a failure cannot be made. */
  readonly fail: ((failure: FakeFailure, times: number) => void) | undefined;
  close(): Promise<void>;
}

/** A provider with its fake, for the contract suites. */
export interface FakedProvider {
  readonly provider: Provider;
  /** Undefined when what it needs is not installed here. */
  start(): Promise<ProviderFake | undefined>;
  /** Objects that make more than two pages. */
  readonly manyObjects: number;
  /** Why it cannot be started here, in a word or two; its tests are skipped then, but in CI. */
  readonly problem?: string | undefined;
}
