import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type {
  Entry,
  Item,
  Page,
  Provider,
  ResourceScope,
  Session,
} from '../../../src/connectors/provider.js';
import { systemClock } from '../../../src/lib/clock.js';
import { GuardedNetwork } from '../../../src/lib/guarded-network.js';
import type { JsonObject } from '../../../src/sources/source.types.js';
import type { ProviderFake } from './provider-fake.js';
import { documentReaders } from '../shared/document-readers.mjs';

const pagesMax = 1000;
export const noSignal = new AbortController().signal;

/** A session with a fake, as the engine opens one. */
export function openFake(
  provider: Provider,
  fake: ProviderFake,
  credentials: JsonObject = fake.credentials,
): { session: Session; close: () => Promise<void>; saved: unknown[] } {
  const network = new GuardedNetwork({ allowPrivate: true });
  const saved: unknown[] = [];
  const session = provider.open({
    credentials: provider.credentials.parse(credentials) as never,
    baseUrl: fake.baseUrl,
    network,
    clock: systemClock,
    documents: documentReaders,
    filesystemRoots: fake.filesystemRoots ?? [],
    saveCredentials: async (given) => void saved.push(given),
  });
  const close = async () => {
    await session.close();
    await network.close();
  };
  return { session, close, saved };
}

export function scopeOf(fake: ProviderFake, oldest = new Date(Date.now() - 30 * 86_400_000)): ResourceScope {
  const { id, type, filters } = fake.resource;
  return { id, type, oldest, filters: filters ?? {} };
}

/** What reading to the end has shown. */
export interface Shown {
  readonly entries: Entry[];
  readonly deleted: string[];
  readonly hidden: string[];
  readonly cursor: string;
  readonly pages: Page[];
}

/** Reads, or walks, from a cursor to the end. */
export async function readAll(next: (cursor: string) => Promise<Page>, from = ''): Promise<Shown> {
  const pages: Page[] = [];
  for (let cursor = from; pages.length < pagesMax;) {
    const page = await next(cursor);
    pages.push(page);
    cursor = page.cursor;
    if (page.more) continue;
    return {
      pages,
      cursor,
      entries: pages.flatMap(({ entries }) => entries),
      deleted: pages.flatMap(({ deleted }) => deleted ?? []),
      hidden: pages.flatMap(({ hidden }) => hidden ?? []),
    };
  }
  throw new Error(`more than ${pagesMax} pages`);
}

/** Reading and walking the resource of a fake, whichever there is by then. */
export function readsOf(opened: { readonly fake: ProviderFake; readonly session: Session }) {
  const scope = (more: Partial<ResourceScope>) => ({ ...scopeOf(opened.fake), ...more });
  return {
    read: (from = '', more: Partial<ResourceScope> = {}) =>
      readAll((cursor) => opened.session.read(scope(more), cursor, noSignal), from),
    walk: (more: Partial<ResourceScope> = {}) =>
      readAll((cursor) => opened.session.walk!(scope(more), cursor, noSignal)),
  };
}

export const idsOf = (entries: readonly Entry[]): string[] => entries.map(({ id }) => id);

export async function loadOf(entries: readonly Entry[], id: string): Promise<Item | undefined> {
  return entries.find((entry) => entry.id === id)?.load(noSignal);
}

/** What some work ends with; undefined when it succeeds. */
export function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The longest time in which some work lets nothing else run in this process, as a share of all its time. */
export async function shareHeld(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const startedAt = performance.now();
  delays.enable();
  await work();
  const took = performance.now() - startedAt;
  // What held up to the end is counted when timers have their turn.
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
  delays.disable();
  return delays.max / 1e6 / took;
}

/** All text of an item, of its file too. */
export async function textOf(item: Item | undefined): Promise<string> {
  if (!item) return '';
  const { file, ...rest } = item;
  if (!file) return JSON.stringify(rest);
  const content = await file.open(noSignal);
  const parts: Buffer[] = [];
  if (Buffer.isBuffer(content)) parts.push(content);
  else for await (const part of content) parts.push(Buffer.from(part as Uint8Array));
  return `${JSON.stringify(rest)} ${Buffer.concat(parts).toString()}`;
}
