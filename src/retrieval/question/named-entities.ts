import type { DataSource } from 'typeorm';
import { entityId } from '../../graph/entity-key.js';
import { stem, termId } from '../../text/analyzer.js';
import { inEach } from '../collection-scopes.js';
import type { SearchScope } from '../search-scope.js';
import { lookUpNames, probeBeginnings, probeNames } from './named-entities.queries.js';
import type { NameProbe, NamedByItems } from './named-entities.queries.js';
import { QueryNames, longestOf, respell } from './query-names.js';
import type { NameCandidate, PlainWord, UnknownWord } from './query-names.js';

/** A name in the query, with one of the entities that bear it. */
export interface FoundName extends NameCandidate {
  readonly id: string;
  readonly mentions: number;
  readonly strength: number;
}

const aliasStrength = 0.9;
const misspeltStrength = 0.7;
// Several entities bear the name, and each may be the one that is meant.
const ambiguousStrength = 0.8;
const entitiesPerNameMax = 3;
const wordsLookedUpMax = 32;

/**
 * The entities that a query names. Words that occur in no text may be misspelt names, so the entities that
 * they may mean are added, with a lower strength.
 */
export async function findNamed(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  queryText: string,
): Promise<FoundName[]> {
  const { candidates, emails, plainWords } = new QueryNames(queryText);
  const keys = [...new Set(candidates.map(({ key }) => key))];
  if (keys.length === 0 && emails.length === 0) return [];
  const words = plainWords
    .slice(0, wordsLookedUpMax)
    .map((word) => ({ ...word, term: termId(stem(word.word)) }));
  const probes = await Promise.all(scopes.map((scope) => probeNames(postgres, scope, { keys, words })));
  const found = probes.flat().flatMap(({ kind, nth }) => (kind === 'name' ? [keys[nth - 1]] : []));
  const mentioned = new Set(found);
  const named = candidates.filter(({ key }) => mentioned.has(key));
  const written = await lookUp(postgres, scopes, { candidates: named, emails });
  const misspelt = respell(unknownOf(words, probes), written);
  if (misspelt.length === 0) return written;
  const beginnings = misspelt.map(({ beginning }) => beginning);
  const begun = new Set(await inEach(scopes, (scope) => probeBeginnings(postgres, scope, beginnings)));
  const meant = misspelt.flatMap(({ candidates: names }, index) => (begun.has(index + 1) ? names : []));
  const weaker = await lookUp(postgres, scopes, { candidates: meant, emails: [] });
  return [...written, ...weaker.map((name) => ({ ...name, strength: name.strength * misspeltStrength }))];
}

/**
 * The entities that bear the names, with the number of their mentions, and those of mail addresses. Of names
 * that overlap, the longest count.
 */
async function lookUp(
  postgres: DataSource,
  scopes: readonly SearchScope[],
  { candidates, emails }: { candidates: readonly NameCandidate[]; emails: readonly string[] },
): Promise<FoundName[]> {
  const keys = [...new Set(candidates.map(({ key }) => key))];
  if (keys.length === 0 && emails.length === 0) return [];
  const rows = await inEach(scopes, (scope) =>
    lookUpNames(postgres, scope, { keys, ids: idsOf(emails, scope) }),
  );
  const addressed = rows.flatMap(({ kind, nth, entityId: id }) =>
    // Addresses stand at no word; those that differ stand at different places.
    kind === 'id' ? [{ key: '', first: -nth, last: -nth, id, mentions: 1, strength: 1 }] : [],
  );
  return [...addressed, ...longestOf(toNames(candidates, keys, rows))];
}

/** The words that occur in no store, with how many of their letters at most begin a name in any of them. */
function unknownOf(words: readonly PlainWord[], probes: readonly (readonly NameProbe[])[]): UnknownWord[] {
  return words.flatMap((word, index) => {
    const found = probes.flatMap((ofScope) =>
      ofScope.flatMap((probe) => (probe.kind === 'unknown' && probe.nth === index + 1 ? [probe] : [])),
    );
    if (found.length < probes.length) return [];
    const begins = Math.max(...found.map((probe) => probe.begins));
    return [{ ...word, begins, beginsBehind: Math.max(...found.map((probe) => probe.beginsBehind)) }];
  });
}

function toNames(
  candidates: readonly NameCandidate[],
  keys: readonly string[],
  rows: readonly NamedByItems[],
): FoundName[] {
  const known = new Map<string, Map<string, { mentions: number; strength: number }>>();
  for (const { kind, nth, entityId: id, isAlias, mentions } of rows) {
    const key = keys[nth - 1];
    if (kind !== 'name' || key === undefined) continue;
    const entities = known.get(key) ?? new Map<string, { mentions: number; strength: number }>();
    const before = entities.get(id);
    const own = isAlias ? aliasStrength : 1;
    entities.set(id, {
      mentions: mentions + (before?.mentions ?? 0),
      strength: Math.max(own, before?.strength ?? 0),
    });
    known.set(key, entities);
  }
  return candidates.flatMap((candidate) => {
    const entities = [...(known.get(candidate.key) ?? [])];
    const share = entities.length > 1 ? ambiguousStrength : 1;
    return entities
      .sort(([, a], [, b]) => b.strength - a.strength || b.mentions - a.mentions)
      .slice(0, entitiesPerNameMax)
      .map(([id, entity]) => ({
        ...candidate,
        id,
        mentions: entity.mentions,
        strength: entity.strength * share,
      }));
  });
}

function idsOf(emails: readonly string[], { collectionIds }: SearchScope): string[] {
  return emails.flatMap((identifier) =>
    collectionIds.map((collectionId) =>
      entityId(collectionId, { name: identifier, type: null, namespace: null, identifier }),
    ),
  );
}
