import { LIMITS } from '../../limits.js';
import { canonicalPredicate } from '../../sources/ingest/canonical-predicate.js';
import { Coreference } from './coreference.js';
import { issuerOf, organizationOfDocument } from './document-subject.js';
import { EntityRegistry, keyOf } from './entities.js';
import type { Entity } from './entities.js';
import { withinLimits } from './extracted-graph.js';
import type { ExtractedGraph, ExtractedRelation, ExtractionInput } from './extracted-graph.js';
import { Guard } from './guard.js';
import { withoutLegalForm } from './lexicon.js';
import { SentenceView } from './phrases.js';
import { namesNothing } from './plain-talk.js';
import { readChunk } from './read-chunk.js';
import type { ReadSentence } from './read-chunk.js';
import { ownerOf } from './resumes.js';
import { readRelations } from './sentence-relations.js';
import type { SentenceRelation } from './sentence-relations.js';

const indirectConfidence = 0.8;
const contextBefore = 200;

interface Relation extends SentenceRelation {
  readonly chunk: number;
  readonly context: string;
}

/**
 * Extracts a graph from the text of an item: what it names, and the relations that it plainly states. Rules
 * read English sentences, and the plainest of German, French, Spanish and Italian. From other languages only
 * identifiers are taken: e-mail addresses, URLs, ticket ids. The same text always gives the same graph. A chunk
 * or sentence on which rules fail is left out.
 */
export function extractGraph(input: ExtractionInput): ExtractedGraph {
  const guard = new Guard();
  const graph = guard.run(() => graphOf(input, guard), { entities: [], relations: [] });
  return guard.problem === undefined ? graph : { ...graph, problem: guard.problem };
}

function graphOf({ title, day, chunks, ...voices }: ExtractionInput, guard: Guard): ExtractedGraph {
  const isPlain = () => chunks.every(({ text, headings = [] }) => [text, ...headings].every(namesNothing));
  if (guard.run(isPlain, false)) return { entities: [], relations: [] };
  const sentences = readChunks(chunks, { title, guard, ...voices });
  const speakers = sentences.flatMap(({ speaker }) => speaker ?? []);
  const people = [...(voices.people ?? []), ...new Set(speakers)];
  const registry = new EntityRegistry(sentences, { title, people });
  const issuer = guard.run(() => issuerOf(headOf(chunks)), undefined);
  const isNamed = issuer !== undefined || registry.all().length > 0;
  const relations = isNamed ? relationsOf(sentences, { registry, title, day, issuer, guard }) : [];
  const used = new Set(relations.flatMap(({ source, target }) => [source.entity, target.entity]));
  const entities = registry
    .all()
    .filter((entity) => !entity.lazy || used.has(entity))
    .slice(0, LIMITS.graphEntitiesMax);
  const taken = new Set(entities.flatMap(({ names }) => [...names.keys()]));
  return {
    entities: entities.map((entity) => toExtractedEntity(entity, taken)),
    relations: toExtractedRelations(relations, new Map(entities.map((entity, index) => [entity, index]))),
  };
}

/** What a document begins with: the headings of its first chunk, and its text. */
function headOf([first]: ExtractionInput['chunks']): string {
  return [...(first?.headings ?? []), first?.text ?? ''].join('\n');
}

function readChunks(
  chunks: ExtractionInput['chunks'],
  { title, guard, ...voices }: Omit<ExtractionInput, 'chunks'> & { readonly guard: Guard },
): ReadSentence[] {
  let left = LIMITS.graphExtractionCharactersMax;
  const [first] = chunks;
  const owner = guard.run(() => ownerOf(title, first?.text ?? '', first?.headings), undefined);
  const organization = guard.run(() => organizationOfDocument(title, headOf(chunks)), undefined);
  return chunks.flatMap((each, chunk) => {
    const text = each.text.slice(0, Math.max(left, 0));
    left -= each.text.length;
    const sentences = guard.run(
      () => readChunk(text, chunk, { headings: each.headings, owner, organization, title, ...voices }),
      [],
    );
    let mentions = 0;
    return sentences.filter(
      (sentence) => (mentions += sentence.mentions.length) <= LIMITS.graphMentionsPerChunkMax,
    );
  });
}

interface Telling extends Pick<ExtractionInput, 'title' | 'day'> {
  readonly registry: EntityRegistry;
  readonly issuer: string | undefined;
  readonly guard: Guard;
}

function relationsOf(
  sentences: readonly ReadSentence[],
  { registry, title, day, issuer, guard }: Telling,
): Relation[] {
  const relations = new Map<string, Relation>();
  const ids = new Map<Entity, number>();
  const idOf = (entity: Entity) => ids.get(entity) ?? ids.set(entity, ids.size).size - 1;
  let coreference = new Coreference(registry, title, issuer);
  let chunk = -1;
  let inChunk = 0;
  for (const sentence of sentences) {
    if (sentence.chunk !== chunk) {
      coreference = new Coreference(registry, title, issuer);
      ({ chunk } = sentence);
      inChunk = 0;
    }
    for (const found of guard.run(() => statedIn(sentence, coreference, day), [])) {
      const key = [idOf(found.source.entity), idOf(found.target.entity), found.predicate, chunk].join(' ');
      if (relations.has(key) || inChunk >= LIMITS.graphRelationsPerChunkMax) continue;
      relations.set(key, { ...found, chunk, context: contextOf(sentence, found) });
      inChunk += 1;
    }
  }
  return [...relations.values()];
}

function statedIn(
  sentence: ReadSentence,
  coreference: Coreference,
  day: string | undefined,
): SentenceRelation[] {
  const refs = coreference.read(sentence);
  return readRelations(new SentenceView(sentence.tokens, refs, coreference), sentence, day);
}

function contextOf({ text, tokens }: ReadSentence, { source, target }: SentenceRelation): string {
  const max = LIMITS.graphContextCharactersMax;
  const plain = text.trim();
  if (plain.length <= max) return plain;
  const first = tokens[Math.min(source.start, target.start)]?.start ?? 0;
  return text
    .slice(Math.max(first - contextBefore, 0))
    .slice(0, max)
    .trim();
}

function toExtractedEntity(
  { name, type, identifier, names, chunks, titled }: Entity,
  taken: ReadonlySet<string>,
): ExtractedGraph['entities'][number] {
  const called = type === 'ORGANIZATION' ? withoutLegalForm(name) : undefined;
  // If the text uses the short name for something else, it is not an alias.
  const also = called === undefined || taken.has(keyOf(called)) ? [] : [called];
  const aliases = [...new Set([...names.values(), ...also])].filter((alias) => alias !== name);
  const isLocal = titled && type === 'PERSON' && identifier === null;
  return {
    name,
    type,
    namespace: null,
    identifier,
    aliases,
    ...(isLocal ? { isLocal } : {}),
    chunks: [...chunks].sort((a, b) => a - b),
  };
}

function toExtractedRelations(
  relations: readonly Relation[],
  indexes: ReadonlyMap<Entity, number>,
): ExtractedRelation[] {
  const found = relations.flatMap(
    ({
      source,
      target,
      predicate,
      raw,
      confidence,
      temporalDetails,
      context,
      chunk,
    }): ExtractedRelation[] => {
      const from = indexes.get(source.entity);
      const to = indexes.get(target.entity);
      if (from === undefined || to === undefined) return [];
      const isIndirect = source.indirect || target.indirect;
      return [
        {
          source: from,
          target: to,
          predicate: canonicalPredicate(predicate),
          rawPredicate: raw,
          context,
          temporalDetails,
          confidence: Number((confidence * (isIndirect ? indirectConfidence : 1)).toFixed(2)),
          chunk,
        },
      ];
    },
  );
  return withinLimits(found);
}
