import type { DataSource } from 'typeorm';
import { analyze } from '../../text/analyzer.js';
import { inEach } from '../collection-scopes.js';
import type { ChunkRow } from '../found-chunks.queries.js';
import type { FusedHit } from '../ranking/fusion.js';
import { justBehind } from '../ranking/rank-fusion.js';
import type { RankedHit } from '../ranking/rank-fusion.js';
import type { SearchScope } from '../search-scope.js';
import { findAppItems, findConversations, findFollowing, findStates } from './app-lane.queries.js';
import { AskedApps } from './asked-apps.js';
import { readAskedState } from './asked-state.js';
import type { AskedState } from './asked-state.js';
import { asksBack, asksSame } from './asks-same.js';
import { bestFirst } from './lane-hits.js';
import type { LaneHit } from './lanes.queries.js';

interface AppSearch {
  readonly query: string;
  /** What the other lanes found together, best first. */
  readonly hits: readonly FusedHit[];
  /** Whether the first hit of the keyword lane contains a rare code of the query. */
  readonly holdsCode: boolean;
  /** The rows of the best hits. */
  readonly rows: ReadonlyMap<string, ChunkRow>;
}

const hitsLookedAtMax = 50;
const anchorsMax = 5;
// Each message further away in a conversation gets this share of the one before it.
const awayShare = 0.7;
// For items of the kind asked for that have nothing to do with those named, where other hits are both.
const kindShare = 0.5;
// The place of a page in a tree is no conversation.
const withoutConversation: readonly string[] = ['knowledge_base'];

/** A message around a better hit, which it stays behind. */
type AroundHit = LaneHit & Required<Pick<RankedHit<string>, 'behind'>>;

/**
 * An item that the query asks for. One that is only related to a person named stays behind the hit that leads
 * by words and meaning.
 */
type AppHit = LaneHit & Pick<RankedHit<string>, 'behind'>;

/** The app items that the query asks for, and what is around the best hits. */
export interface AppHits {
  readonly app: readonly AppHit[];
  readonly around: readonly AroundHit[];
  /** What others answer to hits that ask the same as the query. */
  readonly answers: readonly AroundHit[];
  /** Whether the query asks for nothing but such items. */
  readonly isList: boolean;
}

const noApps: AppHits = { app: [], around: [], answers: [], isList: false };

/**
 * The lanes of app items: hits whose title, key or people the query names, hits of the kind and state that it
 * names, and what is around the best hits in their conversations. They start from what other lanes found, so
 * a store without app items costs nothing.
 */
export async function searchApps(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { query, hits, holdsCode, rows }: AppSearch,
): Promise<AppHits> {
  if (![...rows.values()].some(({ appKind }) => appKind !== null)) return noApps;
  const chunkIds = hits.slice(0, hitsLookedAtMax).map(({ id }) => id);
  const anchors = anchorsOf(hits, rows);
  const askedState = readAskedState(query);
  const [states, items, answers, conversations] = await Promise.all([
    askedState && hitsInState(postgres, scopes, { asked: askedState, chunkIds }),
    inEach(scopes, (scope) => findAppItems(postgres, scope, chunkIds)),
    findAnswers(postgres, scopes, { query, anchors }),
    inEach(scopes, (scope) => findConversations(postgres, scope, { uids: uidsIn(anchors, scope) })),
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
  const leader = hits.find(({ ranks }) => ranks.sparse === 1 && (ranks.dense === 1 || holdsCode));
  const app = items.map((item): AppHit => {
    const { score, isByPerson, hasFigures } = asked.shareOf(item);
    const mayPass = !isByPerson && (hasFigures || !holdsCode);
    const isBound = !mayPass && leader !== undefined && leader.id !== item.chunkId;
    return { id: item.chunkId, score, ...(isBound && { behind: { id: leader.id, share: justBehind } }) };
  });
  const asApp = withStates(app, states, askedState?.isList ?? false);
  return {
    app: bestFirst(asApp.filter(({ score }) => score > 0)),
    around: bestFirst([...around.values()]),
    answers,
    isList: askedState?.isList ?? false,
  };
}

/**
 * Combines the app hits with the kind and state that a query names. If some hits are of that kind and of a
 * person named ("mails by Ann"), only these count fully.
 */
function withStates(
  app: readonly AppHit[],
  states: readonly AppHit[] | undefined,
  isList: boolean,
): readonly AppHit[] {
  if (!states) return app;
  const inState = new Map(states.map((hit) => [hit.id, hit]));
  const isNamed = ({ score }: AppHit) => score === 1;
  const isBoth = (hit: AppHit) => isNamed(hit) && inState.has(hit.id);
  const wantsBoth = app.some(isBoth);
  return app.map((hit) => {
    if (wantsBoth && isBoth(hit)) return { id: hit.id, score: 1 };
    const ofKind = inState.get(hit.id);
    if (!ofKind) return isList || (wantsBoth && isNamed(hit)) ? { ...hit, score: 0 } : hit;
    return wantsBoth ? { ...ofKind, score: kindShare } : isNamed(hit) && !hit.behind ? hit : ofKind;
  });
}

/** What others answer to those anchors that ask what the query asks; each comes right behind its question. */
async function findAnswers(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { query, anchors }: { readonly query: string; readonly anchors: readonly Anchor[] },
): Promise<AroundHit[]> {
  const terms = new Set(analyze(query));
  const asking = anchors.filter(({ row }) => asksSame(row.content, terms));
  const following = await inEach(scopes, (scope) => findFollowing(postgres, scope, uidsIn(asking, scope)));
  return asking.flatMap(({ id, row }) => {
    const replies = following.filter(({ anchorUid }) => anchorUid === row.sourceUid);
    const answer = replies.find(({ content }) => !asksBack(content)) ?? replies[0];
    return answer ? [{ id: answer.chunkId, score: 1, behind: { id, share: justBehind } }] : [];
  });
}

/**
 * The hits of the kind and in the state that a query names. They do not pass hits that contain more of its
 * other words.
 */
async function hitsInState(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { asked, chunkIds }: { readonly asked: AskedState; readonly chunkIds: readonly string[] },
): Promise<AppHit[]> {
  const found = await inEach(scopes, (scope) => findStates(postgres, scope, { chunkIds, terms: asked.rest }));
  const states = new Map(found.map((item) => [item.chunkId, item]));
  const heldBy = (id: string) => states.get(id)?.held ?? 0;
  return found.filter(asked.isWanted).map(({ chunkId: id, held }) => {
    const fuller = chunkIds.slice(0, chunkIds.indexOf(id)).findLast((other) => heldBy(other) > held);
    return { id, score: 1, ...(fuller !== undefined && { behind: { id: fuller, share: justBehind } }) };
  });
}

/** A strong hit, around which others may be found. */
interface Anchor {
  readonly id: string;
  readonly row: ChunkRow;
  readonly score: number;
}

/** Whether the item of a chunk is of a kind that has conversations. */
export function hasConversation({ appKind }: Pick<ChunkRow, 'appKind'>): boolean {
  return appKind !== null && !withoutConversation.includes(appKind);
}

function anchorsOf(hits: AppSearch['hits'], rows: AppSearch['rows']): Anchor[] {
  const uids = new Set<string>();
  return hits
    .flatMap(({ id, score }): Anchor[] => {
      const row = rows.get(id);
      if (!row || !hasConversation(row) || uids.has(row.sourceUid)) return [];
      uids.add(row.sourceUid);
      return [{ id, row, score }];
    })
    .slice(0, anchorsMax);
}

function uidsIn(anchors: readonly Anchor[], { store }: SearchScope): string[] {
  return anchors.flatMap(({ row }) => (row.corpus === store.corpus ? [row.sourceUid] : []));
}
