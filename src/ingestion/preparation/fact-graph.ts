import { findDates } from '../../graph/extraction/dates.js';
import { keyOf } from '../../graph/extraction/entities.js';
import { withinLimits } from '../../graph/extraction/extracted-graph.js';
import type {
  ExtractedEntity,
  ExtractedGraph,
  ExtractedRelation,
} from '../../graph/extraction/extracted-graph.js';
import { findEvidence } from '../../inference/facts.js';
import type { Fact } from '../../inference/facts.js';
import { LIMITS } from '../../limits.js';
import { canonicalPredicate } from '../../sources/ingest/canonical-predicate.js';
import { userNameDefault } from '../../sources/ingest/user-name.js';

/** Attributes whose predicate has another name in graphs, and what kind of thing their value is. */
const predicates: Readonly<Record<string, readonly [predicate: string, type: string]>> = {
  'lives in': ['lives_in', 'LOCATION'],
  'comes from': ['from', 'LOCATION'],
  'born in': ['born_in', 'LOCATION'],
  'grew up in': ['grew_up_in', 'LOCATION'],
  'has visited': ['visited', 'LOCATION'],
  'works at': ['works_for', 'ORGANIZATION'],
  'lives with': ['lives_with', 'PERSON'],
  'graduated from': ['studied_at', 'ORGANIZATION'],
};
/** They say how one is to be spoken to, or are no things: numbers, days, addresses. */
const noThings =
  /^(?:habit|request|is|age|goes by|plan|works from home|goes to (?!school$).*|language of answers|style of answers|spelling|units|clock|(?:[a-z]+ )?(?:sur|nick)?name)$/;
const pets = /(?:dog|cat|puppy|kitten|parrot|rabbit|horse|hamster|goldfish|pet)$/;
/** What somebody of one's own is called. */
const naming = 'name of ';
const valueWordsMax = 5;
/** Behind the value: what speaks of something else, and has times of its own. */
const elsewhere =
  /(?:;|:(?!\d)|\s[–—-]\s|,?\s(?:who|which|where|when|while|but|because|although|though|whereas)\b|,\sand\b).*$/is;

/** A graph with what facts say of people: "Lars dislikes olives". Decisions and what does not hold are left out. */
export function withFacts(
  graph: ExtractedGraph,
  facts: readonly Fact[],
  chunks: readonly { readonly text: string }[],
): ExtractedGraph {
  const { relations } = graph;
  const known = [...graph.entities];
  const added: ExtractedRelation[] = [];
  let kept = relations.filter(
    (relation, index) => !isQuotedAgain(relation, relations.slice(0, index), { facts, chunks }),
  );
  for (const fact of facts) {
    const subject = calledBy(fact, facts);
    const link = linkOf(fact);
    const chunk = chunks.findIndex(({ text }) => findEvidence(text, fact.evidence) !== undefined);
    if (!link || chunk < 0) continue;
    const isLocal = subject.startsWith(userNameDefault);
    const source = placeOf(known, { name: subject, type: 'PERSON', isLocal }, chunk);
    const target = placeOf(known, { name: link.name, type: link.type }, chunk);
    if (source === undefined || target === undefined || source === target) continue;
    const { predicate } = link;
    // Who lives there now has moved there.
    if (predicate === 'lives_in')
      kept = kept.filter(
        (other) => other.source !== source || other.target !== target || other.predicate !== 'moved_to',
      );
    const temporalDetails = timesOf(fact).join(', ') || null;
    const isSaid = (other: ExtractedRelation) => saysThat(other, { source, target, predicate });
    if ([...kept, ...added].some(isSaid)) {
      // Of a fact's chunk the statement is read, and the sentence that it quotes has the times.
      kept = kept.map((other) =>
        isSaid(other) && other.chunk === chunk && other.temporalDetails === null
          ? { ...other, temporalDetails }
          : other,
      );
      continue;
    }
    added.push({
      source,
      target,
      predicate,
      rawPredicate: predicate.replaceAll('_', ' '),
      context: fact.statement.slice(0, LIMITS.graphContextCharactersMax),
      temporalDetails,
      confidence: fact.confidence,
      chunk,
    });
  }
  return { ...graph, entities: known, relations: withinLimits([...kept, ...added]) };
}

/** "Anna's sister is called Nadia", "Anna's sister lives in Cardiff": chunks that quote one sentence say once what it says. */
function isQuotedAgain(
  { source, target, predicate, chunk }: ExtractedRelation,
  earlier: readonly ExtractedRelation[],
  { facts, chunks }: { facts: readonly Fact[]; chunks: readonly { readonly text: string }[] },
): boolean {
  const holds = (at: number, evidence: string) =>
    findEvidence(chunks[at]?.text ?? '', evidence) !== undefined;
  return earlier.some(
    (other) =>
      other.chunk !== chunk &&
      saysThat(other, { source, target, predicate }) &&
      facts.some(({ evidence }) => holds(chunk, evidence) && holds(other.chunk, evidence)),
  );
}

/** Whom a fact is about by name: "Anna's sister" is Nadia where its clause, or no other, says that she is called so. */
function calledBy({ subject, evidence }: Fact, facts: readonly Fact[]): string {
  const names = facts.filter(
    ({ attribute, subject: user, negated }) =>
      !negated && subject === `${user}'s ${attribute.slice(naming.length)}` && attribute.startsWith(naming),
  );
  const own = names.find((fact) => fact.evidence === evidence) ?? (names.length === 1 ? names[0] : undefined);
  return own?.value ?? subject;
}

/** The same relation, or the same seen from the other end: who manages one is one's manager. */
function saysThat(
  other: ExtractedRelation,
  { source, target, predicate }: Pick<ExtractedRelation, 'source' | 'target' | 'predicate'>,
): boolean {
  if (other.source === source && other.target === target) return other.predicate === predicate;
  if (other.source !== target || other.target !== source) return false;
  return other.predicate === 'manages' && /^(?:manager|boss)$/.test(predicate);
}

/** The times of what a fact says: none of what else its clause says of whom it names, nor of an aside. */
function timesOf({ attribute, value, evidence }: Fact): string[] {
  if (/^(?:name of .+|manager|boss)$/.test(attribute)) return [];
  const at = evidence.indexOf(value);
  const end = at < 0 ? evidence.length : at + value.length;
  const own = evidence.slice(0, end) + evidence.slice(end).replace(elsewhere, '');
  return findDates(own).map(({ text }) => text);
}

/** What a fact links its subject to. */
function linkOf({
  kind,
  attribute,
  value,
  negated,
}: Pick<Fact, 'kind' | 'attribute' | 'value' | 'negated'>):
  { predicate: string; name: string; type: string } | undefined {
  if (kind === 'decision' || negated || noThings.test(attribute)) return undefined;
  const [, liked] = /^attitude to (?:to )?(.+)$/.exec(attribute) ?? [];
  // "it when people are late", "their coffee black" say how something is, and name nothing.
  if (
    /^it when /.test(liked ?? '') ||
    /^their (?:coffee|tea|steak|meat|eggs?|toast|food|pizza|drinks?) \S/.test(liked ?? '')
  )
    return undefined;
  const name = (liked ?? value).replace(/^(?:an?|the|their) /i, '');
  if (name.length < 2 || /[@\d]/.test(name) || name.split(' ').length > valueWordsMax) return undefined;
  if (liked !== undefined) return { predicate: value, name, type: 'OTHER' };
  if (/^prefer(?:s|red)\b/.test(attribute)) return { predicate: 'prefers', name, type: 'OTHER' };
  // "a dog named Rex"
  const [, owned, called] = /^an? (?:[\w-]+ )*?([\w-]+) (?:named|called) (\S+)$/.exec(value) ?? [];
  if (attribute === 'has' && owned !== undefined && called !== undefined)
    return linkOf({ kind, attribute: `name of ${owned}`, value: called, negated });
  if (/^(?:manager|boss)$/.test(attribute)) return { predicate: attribute, name, type: 'PERSON' };
  if (attribute === 'lives with' && !/^\p{Lu}/u.test(name)) return undefined;
  const [, relative] = /^name of (.+)$/.exec(attribute) ?? [];
  if (relative !== undefined)
    return {
      predicate: canonicalPredicate(`has ${relative}`),
      name,
      type: pets.test(relative) ? 'OTHER' : 'PERSON',
    };
  const [predicate = canonicalPredicate(attribute), type = 'OTHER'] = predicates[attribute] ?? [];
  return { predicate, name, type };
}

/** Where an entity of a name stands; it is added when it is new and there is room. */
function placeOf(
  known: ExtractedEntity[],
  { name, type, isLocal = false }: { name: string; type: string; isLocal?: boolean },
  chunk: number,
): number | undefined {
  const key = keyOf(name);
  const at = known.findIndex((entity) =>
    [entity.name, ...entity.aliases].some((each) => keyOf(each) === key),
  );
  const found = known[at];
  if (found) {
    const chunks = [...new Set([...found.chunks, chunk])].sort((a, b) => a - b);
    known[at] = { ...found, type: found.type === 'OTHER' ? type : found.type, chunks };
    return at;
  }
  if (known.length >= LIMITS.graphEntitiesMax) return undefined;
  const shown = { name, type, namespace: null, identifier: null, aliases: [], chunks: [chunk] };
  return known.push({ ...shown, ...(isLocal ? { isLocal } : {}) }) - 1;
}
