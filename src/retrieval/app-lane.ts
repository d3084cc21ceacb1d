import type { DataSource } from 'typeorm';
import { emailOf, nameKey } from '../graph/entity-key.js';
import { analyze } from '../text/analyzer.js';
import { findAppItems, findConversations } from './app-lane.queries.js';
import type { AppItem } from './app-lane.queries.js';
import { bestFirst } from './best-first.js';
import { inEach } from './collection-scopes.js';
import type { ChunkRow } from './found-chunks.queries.js';
import type { FusedHit, RankedHit } from './fusion.js';
import type { LaneHit } from './lanes.queries.js';
import { QueryNames } from './query-names.js';
import type { SearchScope } from './search-scope.js';

interface AppSearch {
  readonly query: string;
  /** What the other lanes found together, best first. */
  readonly hits: readonly FusedHit[];
  /** The best of them as they are shown. */
  readonly rows: ReadonlyMap<string, ChunkRow>;
}

const hitsLookedAtMax = 50;
const anchorsMax = 5;
// Each message further away in a conversation has so much of what the one before it has.
const awayShare = 0.7;
// With fewer of its words in the title the query hardly asks for the item.
const titleShareMin = 0.5;
// A first name in small letters may be any word ("phone bill", "prices rose") but behind these, or with an 's.
const beforePeople = new Set('from by to with did does has is was'.split(' '));
const writtenWord = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;
const beginsSmall = /^\p{Ll}/u;
// A page's place in a tree is no conversation; what a message is called is how it begins.
const withoutConversation: readonly string[] = ['knowledge_base'];
const withoutTitle: readonly string[] = ['message', 'comment'];

/** A message around a better hit, which it stays behind. */
type AroundHit = LaneHit & Required<Pick<RankedHit<string>, 'behind'>>;

/** What is asked for of app items, and what stands around the best of them. */
export interface AppHits {
  readonly app: readonly LaneHit[];
  readonly around: readonly AroundHit[];
}

/**
 * The lanes of items of other applications: hits whose title has the words of the query or whose people it names, by how much, and
 * what stands around the best hits in their conversations. They begin with what other lanes found: a store without such
 * items costs nothing.
 */
export async function searchApps(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { query, hits, rows }: AppSearch,
): Promise<AppHits> {
  if (![...rows.values()].some(({ appKind }) => appKind !== null)) return { app: [], around: [] };
  const chunkIds = hits.slice(0, hitsLookedAtMax).map(({ id }) => id);
  const anchors = anchorsOf(hits, rows);
  const [items, conversations] = await Promise.all([
    inEach(scopes, (scope) => findAppItems(postgres, scope, chunkIds)),
    inEach(scopes, (scope) => findConversations(postgres, scope, uidsIn(anchors, scope))),
  ]);
  const around = new Map<string, AroundHit>();
  for (const { anchorUid, chunkId, away } of conversations.flat()) {
    const anchor = anchors.find(({ row }) => row.sourceUid === anchorUid);
    if (!anchor) continue;
    const share = awayShare ** away;
    const hit = { id: chunkId, score: anchor.score * share, behind: { id: anchor.id, share } };
    if (hit.score > (around.get(chunkId)?.score ?? 0)) around.set(chunkId, hit);
  }
  const asked = new AskedApps(query);
  const app = items.map((item): LaneHit => ({ id: item.chunkId, score: asked.shareOf(item) }));
  return {
    app: bestFirst(app.filter(({ score }) => score > 0)),
    around: bestFirst([...around.values()]),
  };
}

/** A strong hit, around which others may stand. */
interface Anchor {
  readonly id: string;
  readonly row: ChunkRow;
  readonly score: number;
}

function anchorsOf(hits: AppSearch['hits'], rows: AppSearch['rows']): Anchor[] {
  const uids = new Set<string>();
  return hits
    .flatMap(({ id, score }): Anchor[] => {
      const row = rows.get(id);
      if (!row?.appKind || withoutConversation.includes(row.appKind) || uids.has(row.sourceUid)) return [];
      uids.add(row.sourceUid);
      return [{ id, row, score }];
    })
    .slice(0, anchorsMax);
}

function uidsIn(anchors: readonly Anchor[], { store }: SearchScope): string[] {
  return anchors.flatMap(({ row }) => (row.corpus === store.corpus ? [row.sourceUid] : []));
}

/** What a query asks of an item beside its text. */
class AskedApps {
  private readonly words: readonly (readonly string[])[];
  private readonly terms: ReadonlySet<string>;
  private readonly names: ReadonlySet<string>;
  private readonly firstNames: ReadonlySet<string>;

  constructor(query: string) {
    this.words = writtenWords(query);
    this.terms = new Set(this.words.flat());
    const { candidates, emails } = new QueryNames(query);
    this.names = new Set([...candidates.map(({ key }) => key), ...emails]);
    this.firstNames = firstNamesIn(query);
  }

  /** 0 to 1: 1 for its key, or a person, that the query names; else how far the title is what it asks for. */
  shareOf({ title, key, kind, people }: AppItem): number {
    if (key !== null && shareOfWords(writtenWords(key), this.terms) === 1) return 1;
    if (people.some(({ name, email }) => this.isNamed(name, email))) return 1;
    return withoutTitle.includes(kind) ? 0 : this.likeness(title);
  }

  private isNamed(name: string, identifier: string | null): boolean {
    const email = emailOf(identifier);
    if (email !== undefined && this.names.has(email)) return true;
    const key = nameKey(name);
    // By the whole name, or the first one: "Ann" for "Ann Berg".
    const [first = key] = key.split(' ', 1);
    return first === key ? this.firstNames.has(key) : this.names.has(key) || this.firstNames.has(first);
  }

  /** What share of the query's words the title has, times that of the title's words which the query has. */
  private likeness(title: string): number {
    const inTitle = new Set(analyze(title));
    const shareInTitle = shareOfWords(this.words, inTitle);
    if (shareInTitle < titleShareMin) return 0;
    return shareInTitle * shareOfWords(writtenWords(title, inTitle), this.terms);
  }
}

/** The terms of each word as it is written: of a code itself and its parts. Without stop words. */
function writtenWords(text: string, terms: ReadonlySet<string> = new Set(analyze(text))): string[][] {
  return text
    .split(/\s+/)
    .map((word) => analyze(word).filter((term) => terms.has(term)))
    .filter((word) => word.length > 0);
}

/** Of how many words the terms are there: the word as a whole, or all its parts. */
function shareOfWords(words: readonly (readonly string[])[], terms: ReadonlySet<string>): number {
  if (words.length === 0) return 0;
  const isThere = ([whole = '', ...parts]: readonly string[]) =>
    terms.has(whole) || (parts.length > 0 && parts.every((part) => terms.has(part)));
  return words.filter(isThere).length / words.length;
}

/** The words of a query that may be somebody's first name, as the keys of names. */
function firstNamesIn(query: string): Set<string> {
  const words = [...query.matchAll(writtenWord)];
  const isFirstName = ({ 0: word, index }: RegExpExecArray, nth: number) =>
    !beginsSmall.test(word) ||
    beforePeople.has(words[nth - 1]?.[0].toLowerCase() ?? '') ||
    /^['’]s/.test(query.slice(index + word.length));
  return new Set(words.filter(isFirstName).map(([word]) => nameKey(word)));
}
