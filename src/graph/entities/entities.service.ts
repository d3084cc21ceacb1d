import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../../accounts/caller.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import { invalidInput } from '../../errors.js';
import { boundedNumber, checkCount } from '../../lib/bounded-number.js';
import type { Clock } from '../../lib/clock.js';
import { KEY_FORMS, keyBehind } from '../../lib/list-cursor.js';
import type { ListOrder } from '../../lib/list-cursor.js';
import { connection, emptyConnection, pageRange } from '../../lib/page.types.js';
import type { PageArgs, PageRange } from '../../lib/page.types.js';
import { boundedText } from '../../lib/text-check.js';
import { LIMITS } from '../../limits.js';
import { readCorpus } from '../../sources/read-corpus.js';
import { spellingVariants } from '../../text/spelling.js';
import { emailOf, nameKey, spelledAlso } from '../entity-key.js';
import { findGraph } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import { toEntity, toGroup } from '../relations/relation-groups.js';
import type { GraphArgs, RelationGroup } from '../relations/relations.types.js';
import { countEntities, countNeighbours, findEntities, findNeighbours } from './entities.queries.js';
import type { FoundEntity, NeighbourGroup, WantedEntities } from './entities.queries.js';
import type {
  EntitiesArgs,
  EntityConnection,
  EntityPath,
  EntityPaths,
  EntityPathsArgs,
  Neighbour,
  NeighbourConnection,
  NeighboursArgs,
} from './entities.types.js';
import { findPaths } from './entity-paths.js';
import type { Step } from './entity-paths.js';
import { countJoined, joinListed } from './joined-entities.js';
import { JoinedSteps } from './joined-paths.js';
import { withNamesakes } from './same-entities.js';
import { sameAs } from './same-entities.queries.js';

interface EntitiesOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
}

const groupsOfNeighbourMax = 5;
const pathEntitiesMax = 20_000;
const pathLimits = { stepsMax: 20_000, joinedMax: 100_000, sharedMax: 500 };
const variantsMax = 10_000;

/** Reads entities, their neighbours and the paths between them. */
export class EntitiesService {
  constructor(private readonly options: EntitiesOptions) {}

  /**
   * A page of the entities whose name begins with a text, has words that begin with its words, or is one
   * typing error away; or that have given ids.
   * @throws AppError INVALID_INPUT
   */
  async entities(caller: Caller, args: EntitiesArgs, page: PageArgs): Promise<EntityConnection> {
    const range = pageRange(page);
    const wanted = readWanted(args);
    const read = await this.find(caller, args);
    if (!read) return emptyConnection(range);
    const { manager } = this.options.postgres;
    const order: ListOrder<FoundEntity> = {
      list: `entities.${listOf(read)}`,
      keyOf: ({ match, nameKey: key, id }) => [String(match), key, id],
      forms: [/^[0-3]$/, KEY_FORMS.text, KEY_FORMS.uuid],
    };
    const behind = keyBehind(range.cursor, order);
    const found = await findEntities(manager, read, { wanted, range, behind });
    const rows = found.slice(0, range.limit);
    const nodes = await joinListed(manager, read, { rows, wanted });
    const total = isAll(found, range)
      ? nodes.length
      : await countJoined(manager, read, { wanted, total: await countEntities(manager, read, wanted) });
    return { ...connection(found, total, { range, order }), nodes };
  }

  /** A page of the entities that are related to one entity, with the newest relations. */
  async neighbours(caller: Caller, args: NeighboursArgs, page: PageArgs): Promise<NeighbourConnection> {
    const range = pageRange(page);
    const read = await this.find(caller, args);
    const { entityId } = args;
    if (!read || !isUuid(entityId)) return emptyConnection(range);
    const { manager } = this.options.postgres;
    const order: ListOrder<FoundNeighbour> = {
      list: `neighbours.${listOf(read)}.${entityId}`,
      keyOf: ({ groupCount, newest }) => [String(groupCount), newest],
      // A position is that of a moment, which may be before 1970.
      forms: [KEY_FORMS.whole, KEY_FORMS.microseconds],
    };
    const behind = keyBehind(range.cursor, order);
    const id = entityId.toLowerCase();
    const entityIds = withNamesakes([id], await sameAs(manager, read, [id]));
    const wanted = { entityIds, range, behind, groupsMax: groupsOfNeighbourMax };
    const found = toNeighbours(await findNeighbours(manager, read, wanted));
    const total = isAll(found, range) ? found.length : await countNeighbours(manager, read, entityIds);
    return connection(found, total, { range, order });
  }

  /**
   * The shortest paths of relations between two entities. Empty if one of them
   * does not exist or cannot be read.
   */
  async paths(caller: Caller, args: EntityPathsArgs): Promise<EntityPaths> {
    const { pathLengthDefault, pathLengthMax, pathsDefault, pathsMax: most } = LIMITS;
    const lengthMax = boundedNumber(args.lengthMax ?? pathLengthDefault, 'length_max', pathLengthMax);
    const pathsMax = boundedNumber(args.pathsMax ?? pathsDefault, 'paths_max', most);
    const read = await this.find(caller, args);
    if (!read || !isUuid(args.from) || !isUuid(args.to)) return { paths: [], isTruncated: false };
    const { manager } = this.options.postgres;
    const steps = new JoinedSteps(manager, read, pathLimits);
    // In lower case, as Postgres writes the ids that these are compared with.
    const [from = '', to = ''] = await steps.meant([args.from.toLowerCase(), args.to.toLowerCase()]);
    const search = { from, to, lengthMax, pathsMax, entitiesMax: pathEntitiesMax };
    const { paths, isTruncated } = await findPaths(search, steps);
    const rows = await steps.groupsOf(paths.flatMap(stepsOf));
    const groups = new Map([...rows].map(([step, row]) => [step, toGroup(row)]));
    return { paths: paths.flatMap((path) => toPath(path, groups)), isTruncated };
  }

  private find(caller: Caller, question: GraphArgs): Promise<GraphRead | undefined> {
    const { collections, clock } = this.options;
    const place = { question, corpus: readCorpus(question.type), now: clock.now() };
    return findGraph(collections, caller, place);
  }
}

/** A neighbour with the second part of its sort key: no two groups have the same position. */
type FoundNeighbour = Neighbour & { readonly newest: string };

function listOf({ scope: { databaseId, collectionId, corpus } }: GraphRead): string {
  return `${databaseId}.${collectionId}.${corpus}`;
}

/** Whether a page holds all results, so that they need not be counted. */
function isAll(found: readonly unknown[], { offset, limit, cursor }: PageRange): boolean {
  return !cursor && offset === 0 && found.length <= limit;
}

function readWanted({ name, ids }: EntitiesArgs): WantedEntities {
  if (name == null && ids == null) throw invalidInput('name', 'or ids is required');
  checkCount(ids?.length ?? 0, 'ids', { noun: 'ids', max: LIMITS.entityIdsMax });
  // Nor do invisible characters make a name: every name begins with none.
  const key = nameKey(name ?? '');
  if (name != null && key === '')
    throw invalidInput('name', `is empty; it must have 1 to ${LIMITS.graphNameCharactersMax} characters`);
  if (name != null) boundedText(name, 'name', LIMITS.graphNameCharactersMax);
  const words = key.length > 1 ? key.split(' ') : undefined;
  return {
    name: name == null ? undefined : { key, words, variants: nameVariants(key), address: emailOf(name) },
    ids: ids?.filter((id) => isUuid(id)),
  };
}

/** Names that are one typing error away from this one, in any word, or have "and" for its "&". */
function nameVariants(key: string): string[] {
  const words = key.split(' ');
  const variants = words.flatMap((word, at) =>
    spellingVariants(word).map((variant) => words.with(at, variant).join(' ')),
  );
  return [spelledAlso(key) ?? [], variants].flat().slice(0, variantsMax);
}

function toNeighbours(rows: readonly NeighbourGroup[]): FoundNeighbour[] {
  const neighbours = new Map<string, FoundNeighbour>();
  for (const row of rows) {
    const label = row.sourceEntity === row.other ? row.source : row.target;
    const known = neighbours.get(row.other) ?? {
      entity: toEntity(label, row.other),
      groupCount: row.count,
      newest: row.newest,
      groups: [],
    };
    known.groups.push(toGroup(row));
    neighbours.set(row.other, known);
  }
  return [...neighbours.values()];
}

function stepsOf(path: readonly string[]): Step[] {
  return path.slice(1).map((to, index) => ({ from: path[index] ?? '', to }));
}

/** A path with the relations on it; empty when one of these has been deleted since the path was found. */
function toPath(path: readonly string[], groups: ReadonlyMap<string, RelationGroup>): EntityPath[] {
  const steps = stepsOf(path);
  const triplets = steps.flatMap(({ from, to }) => {
    const group = groups.get(`${from} ${to}`);
    const relation = group?.relations[0];
    return relation ? [{ source: group.source, relation, target: group.target }] : [];
  });
  if (triplets.length < steps.length) return [];
  const confidence = triplets.reduce((product, { relation }) => product * relation.confidence, 1);
  return [{ triplets, confidence }];
}
