import type { DataSource } from 'typeorm';
import { emailOf, nameKey } from '../graph/entity-key.js';
import { analyze } from '../text/analyzer.js';
import { findAppItems, findConversations } from './app-lane.queries.js';
import type { AppItem } from './app-lane.queries.js';
import { bestFirst } from './best-first.js';
import type { FusedHit } from './fusion.js';
import type { ChunkRow, LaneHit, SearchScope } from './lanes.queries.js';
import { QueryNames } from './query-names.js';

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
// A page's place in a tree is no conversation; what a message is called is how it begins.
const withoutConversation: readonly string[] = ['knowledge_base'];
const withoutTitle: readonly string[] = ['message', 'comment'];

/**
 * The lane of items of other applications: lifts hits whose title has the words of the query or whose people it names, and
 * what stands around the best hits in their conversations. It begins with what other lanes found: a store without such
 * items costs nothing.
 */
export async function searchApps(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { query, hits, rows }: AppSearch,
): Promise<LaneHit[]> {
  if (![...rows.values()].some(({ appKind }) => appKind !== null)) return [];
  const chunkIds = hits.slice(0, hitsLookedAtMax).map(({ id }) => id);
  const anchors = anchorsOf(hits, rows);
  const [items, conversations] = await Promise.all([
    Promise.all(scopes.map((scope) => findAppItems(postgres, scope, chunkIds))),
    Promise.all(scopes.map((scope) => findConversations(postgres, scope, uidsIn(anchors, scope)))),
  ]);
  const scores = new Map<string, number>();
  const raise = (chunkId: string, to: number) => scores.set(chunkId, Math.max(scores.get(chunkId) ?? 0, to));
  for (const { anchorUid, chunkId, away } of conversations.flat()) {
    const anchor = anchors.find(({ row }) => row.sourceUid === anchorUid);
    if (anchor) raise(chunkId, anchor.score * awayShare ** away);
  }
  const asked = new AskedApps(query);
  for (const item of items.flat()) {
    const share = asked.shareOf(item);
    if (share > 0) scores.set(item.chunkId, (scores.get(item.chunkId) ?? 0) + share);
  }
  return bestFirst([...scores].map(([id, score]): LaneHit => ({ id, score })));
}

/** A strong hit, around which others may stand. */
interface Anchor {
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
      return [{ row, score }];
    })
    .slice(0, anchorsMax);
}

function uidsIn(anchors: readonly Anchor[], { store }: SearchScope): string[] {
  return anchors.flatMap(({ row }) => (row.corpus === store.corpus ? [row.sourceUid] : []));
}

/** What a query asks of an item beside its text. */
class AskedApps {
  private readonly terms: ReadonlySet<string>;
  private readonly names: ReadonlySet<string>;

  constructor(query: string) {
    this.terms = new Set(analyze(query));
    const { candidates, emails } = new QueryNames(query);
    this.names = new Set([...candidates.map(({ key }) => key), ...emails]);
  }

  /** 1 for a person that the query names, and the share of its words that the title has. */
  shareOf({ title, kind, people }: AppItem): number {
    const named = people.some(({ name, email }) => this.isNamed(name, email));
    return (named ? 1 : 0) + (withoutTitle.includes(kind) ? 0 : this.shareInTitle(title));
  }

  private isNamed(name: string, identifier: string | null): boolean {
    const email = emailOf(identifier);
    if (email !== undefined && this.names.has(email)) return true;
    const key = nameKey(name);
    // By the whole name, or the first one: "Ann" for "Ann Berg".
    return this.names.has(key) || this.names.has(key.split(' ', 1)[0] ?? key);
  }

  private shareInTitle(title: string): number {
    if (this.terms.size === 0) return 0;
    const inTitle = new Set(analyze(title));
    const share = [...this.terms].filter((term) => inTitle.has(term)).length / this.terms.size;
    return share >= titleShareMin ? share : 0;
  }
}
