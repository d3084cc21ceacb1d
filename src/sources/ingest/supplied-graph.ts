import { z } from 'zod';
import { invalidInput } from '../../errors.js';
import { checkCount } from '../../lib/bounded-number.js';
import { characterCount } from '../../lib/characters.js';
import { LIMITS } from '../../limits.js';
import { canonicalPredicate } from './canonical-predicate.js';

/** An entity of a supplied graph. */
interface SuppliedEntity {
  readonly name: string;
  readonly type: string | null;
  readonly namespace: string | null;
  readonly identifier: string | null;
}

/**
 * A graph that was sent with an item and replaces what would be extracted from it; relations name entities by
 * index.
 */
export interface SuppliedGraph {
  readonly entities: readonly SuppliedEntity[];
  readonly relations: readonly {
    readonly source: number;
    readonly target: number;
    readonly predicate: string;
    readonly rawPredicate: string;
    readonly context: string;
    readonly temporalDetails: string | null;
    readonly confidence: number | null;
  }[];
}

const text = (charactersMax: number) =>
  z.string('must be a string').max(charactersMax, {
    error: ({ input }) => `has ${characterCount(input as string)} characters; at most ${charactersMax}`,
  });
const zeroToOne = 'must be a number from 0 to 1';
const written = text(LIMITS.graphNameCharactersMax).refine((name) => name.trim() !== '', 'must not be blank');
const label = text(LIMITS.graphNameCharactersMax).nullish();
const entitySchema = z.object(
  { name: written, type: label, namespace: label, identifier: label },
  'must be an object',
);
const relationSchema = z.object(
  {
    source: z.string('must be a string'),
    target: z.string('must be a string'),
    predicate: written,
    context: text(LIMITS.graphContextCharactersMax).nullish(),
    temporal_details: label,
    confidence: z.number(zeroToOne).min(0, zeroToOne).max(1, zeroToOne).nullish(),
  },
  'must be an object',
);

/**
 * The graphs of a request by item id; `ids` are the ids that its items name themselves. @throws AppError
 * INVALID_INPUT naming the graph, the entry and the limit
 */
export function readGraphPayload(
  given: unknown,
  ids: ReadonlySet<string>,
): ReadonlyMap<string, SuppliedGraph> {
  if (given == null) return new Map();
  const graphs = readObject(given, 'graph_payload');
  return new Map(
    Object.entries(graphs).map(([id, graph]) => {
      const path = `graph_payload["${id}"]`;
      if (!ids.has(id)) throw invalidInput(path, 'names no item of this request by its id');
      return [id, readGraph(graph, path)];
    }),
  );
}

function readGraph(given: unknown, path: string): SuppliedGraph {
  const graph = readObject(given, path);
  const entities = Object.entries(readObject(graph['entities'] ?? {}, `${path}.entities`));
  const relations: unknown = graph['relations'] ?? [];
  if (!Array.isArray(relations)) throw invalidInput(`${path}.relations`, 'must be a list');
  checkCount(entities.length, `${path}.entities`, { noun: 'entries', max: LIMITS.graphEntitiesMax });
  checkCount(relations.length, `${path}.relations`, { noun: 'entries', max: LIMITS.graphRelationsMax });
  const keys = new Map(entities.map(([key], index) => [key, index]));
  const read = relations.map((relation, index) =>
    readRelation(relation, `${path}.relations[${index}]`, keys),
  );
  checkRelationsPerEntity(read, entities, path);
  return {
    entities: entities.map(([key, entity]) => readEntity(entity, `${path}.entities["${key}"]`)),
    relations: read,
  };
}

function readEntity(given: unknown, path: string): SuppliedEntity {
  const { name, type, namespace, identifier } = parse(entitySchema, given, path);
  return { name, type: type ?? null, namespace: namespace ?? null, identifier: identifier ?? null };
}

function readRelation(
  given: unknown,
  path: string,
  keys: ReadonlyMap<string, number>,
): SuppliedGraph['relations'][number] {
  const relation = parse(relationSchema, given, path);
  const end = (side: 'source' | 'target') => {
    const index = keys.get(relation[side]);
    if (index === undefined)
      throw invalidInput(`${path}.${side}`, `"${relation[side]}" is no key of entities`);
    return index;
  };
  return {
    source: end('source'),
    target: end('target'),
    predicate: canonicalPredicate(relation.predicate),
    rawPredicate: relation.predicate,
    context: relation.context ?? '',
    temporalDetails: relation.temporal_details ?? null,
    confidence: relation.confidence ?? null,
  };
}

function checkRelationsPerEntity(
  relations: SuppliedGraph['relations'],
  entities: readonly (readonly [string, unknown])[],
  path: string,
): void {
  const counts = new Array<number>(entities.length).fill(0);
  for (const { source, target } of relations)
    for (const end of new Set([source, target])) counts[end] = (counts[end] ?? 0) + 1;
  const most = counts.findIndex((count) => count > LIMITS.graphRelationsPerEntityMax);
  if (most < 0) return;
  throw invalidInput(
    `${path}.entities["${entities[most]?.[0]}"]`,
    `stands in ${counts[most]} relations; at most ${LIMITS.graphRelationsPerEntityMax}`,
  );
}

function readObject(given: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidInput(path, 'must be an object');
  return given as Readonly<Record<string, unknown>>;
}

function parse<Schema extends z.ZodType>(schema: Schema, given: unknown, path: string): z.infer<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = [path, ...(issue?.path ?? []).map(String)].join('.');
  throw invalidInput(at, issue?.message ?? 'is of another shape');
}
