import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import type { CollectionsService } from '../../databases/collections.service.js';
import { boundedNumber } from '../../lib/bounded-number.js';
import type { Clock } from '../../lib/clock.js';
import { counted } from '../../lib/counted.js';
import { LIMITS } from '../../limits.js';
import { inSnapshot } from '../../postgres/snapshot.js';
import type { Corpus, Store } from '../../postgres/stores.js';
import { findSuperseded } from '../../sources/facts.queries.js';
import { readCorpora } from '../../sources/read-corpus.js';
import { betweenSame } from '../entities/same-entities.js';
import { sameCompanies } from '../entities/same-entities.queries.js';
import { findGraph } from '../graph-reads.js';
import type { GraphRead } from '../graph-reads.js';
import { splitLegalForm } from '../legal-forms.js';
import { withSettledTypes } from '../stored/settled-types.js';
import { findLinksAround, findLinksBetween } from '../subgraph/auxiliary.queries.js';
import type { AuxiliaryLink, LinksWindow } from '../subgraph/auxiliary.queries.js';
import { joinGroups, toAuxiliary, toGroup } from './relation-groups.js';
import type { JoinedGroups } from './relation-groups.js';
import { findGroups, findGroupsOf, findReadableItem } from './relations.queries.js';
import type { GraphItem, GroupOfRelations } from './relations.queries.js';
import type { RelationGroup, RelationList, RelationsArgs } from './relations.types.js';

interface RelationsOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
}

// How many links are read at most to fill a page with groups, when most links make none.
const linksMax = 20_000;

/** Reads relations: of a collection, of an item, or of the items of a list. */
export class RelationsService {
  constructor(private readonly options: RelationsOptions) {}

  /** A page of relations, newest first. It is empty for an item that does not exist or may not be read. */
  async relations(caller: Caller, args: RelationsArgs): Promise<RelationList> {
    const limit = boundedNumber(args.limit ?? LIMITS.relationsGraphqlDefault, 'limit', LIMITS.relationsMax);
    const below = readCursor(args.cursor);
    const { id = null } = args;
    const corpora = readCorpora(args.type);
    for (const corpus of corpora) {
      const read = await this.find(caller, args, corpus);
      if (!read) break;
      const list = await inSnapshot(this.options.postgres, async (manager) => {
        const item = id === null ? undefined : await findReadableItem(manager, read, id);
        return id === null || item ? page(manager, read, { item, below, limit }) : undefined;
      });
      if (list) return list;
    }
    const auxiliary = { groups: [], isTruncated: false };
    return toList([], { corpus: corpora[0] ?? 'knowledge', limit, auxiliary });
  }

  /** The newest relations of each version. The caller must have checked that the versions may be read. */
  async ofVersions(store: Store, uids: readonly string[]): Promise<ReadonlyMap<string, RelationGroup[]>> {
    const { clock, postgres } = this.options;
    const found = await findGroupsOf(postgres.manager, store, { uids, limit: LIMITS.relationsOfListedMax });
    const rows = await withEnds(postgres.manager, { store, now: clock.now() }, found);
    const groups = new Map<string, RelationGroup[]>(uids.map((uid) => [uid, []]));
    for (const row of rows) groups.get(row.uid)?.push(toGroup(row));
    return groups;
  }

  private find(caller: Caller, question: RelationsArgs, corpus: Corpus): Promise<GraphRead | undefined> {
    const { collections, clock } = this.options;
    return findGraph(collections, caller, { question, corpus, now: clock.now() });
  }
}

async function page(
  manager: EntityManager,
  read: GraphRead,
  { item, below, limit }: { item: GraphItem | undefined; below: number | null; limit: number },
): Promise<RelationList> {
  const found = await findGroups(manager, read, { uid: item?.uid, below, limit: limit + 1 });
  const lasting = await withEnds(manager, { store: read.scope, now: read.now }, found);
  const meant = betweenSame(lasting, await sameCompanies(manager, read, companiesOf(lasting)));
  const rows = withSettledTypes(meant, meant);
  const last = rows.length > limit ? Number(rows[limit - 1]?.position) : null;
  // Links within the period of the page, so that each is on one page; the links
  // of an item are all on the first.
  const auxiliary = await auxiliaryGroups((window) => {
    if (!item) return findLinksBetween(manager, read, { from: last, below, ...window });
    return below === null ? findLinksAround(manager, read, { item, ...window }) : [];
  });
  return toList(rows.map(toGroup), { corpus: read.scope.corpus, limit, auxiliary, last });
}

/**
 * The entities whose names have a legal form. The others need not be looked up: joined companies go by the
 * id of the name without a form.
 */
function companiesOf(rows: readonly GroupOfRelations[]): string[] {
  const ends = rows.flatMap(({ source, target, sourceEntity, targetEntity }) => [
    ...(splitLegalForm(source.name) ? [sourceEntity] : []),
    ...(splitLegalForm(target.name) ? [targetEntity] : []),
  ]);
  return [...new Set(ends)];
}

/** Marks the relations of memories as former where a later fact contradicts them. */
async function withEnds<Row extends GroupOfRelations>(
  manager: EntityManager,
  { store, now }: { store: Store; now: Date },
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const chunkUuids = rows.flatMap(({ chunkUuid }) => chunkUuid ?? []);
  if (store.corpus !== 'memory' || chunkUuids.length === 0) return rows;
  const superseded = await findSuperseded(manager, store, { chunkUuids, now });
  const ended = (temporal: string | null) =>
    temporal === null ? 'former' : /^former\b/.test(temporal) ? temporal : `former, ${temporal}`;
  return rows.map((row) =>
    superseded.has(row.chunkUuid ?? '')
      ? { ...row, relations: row.relations.map((each) => ({ ...each, temporal: ended(each.temporal) })) }
      : row,
  );
}

function toList(
  found: readonly RelationGroup[],
  {
    corpus,
    limit,
    auxiliary,
    last = null,
  }: { corpus: Corpus; limit: number; auxiliary: JoinedGroups; last?: number | null },
): RelationList {
  const relations = found.slice(0, limit);
  return {
    relations,
    auxiliaryRelations: auxiliary.groups,
    auxiliaryTruncated: auxiliary.isTruncated,
    isTruncated: found.length > limit,
    nextCursor: last,
    success: true,
    message: counted(relations.length, 'group of relations', 'groups of relations'),
    sourceType: corpus,
  };
}

/**
 * Reads links as groups. A link may make no group, or one that another link makes too, so more are
 * read until the maximum is reached.
 */
async function auxiliaryGroups(
  find: (window: LinksWindow) => Promise<AuxiliaryLink[]> | AuxiliaryLink[],
): Promise<JoinedGroups> {
  const max = LIMITS.relationsAuxiliaryMax;
  const limit = max + 1;
  const groups: RelationGroup[] = [];
  for (let offset = 0; offset < linksMax; offset += limit) {
    const links = await find({ limit, offset });
    groups.push(...links.flatMap(toAuxiliary));
    const joined = joinGroups(groups, max);
    if (joined.isTruncated || links.length < limit) return joined;
  }
  return { ...joinGroups(groups, max), isTruncated: true };
}

function readCursor(given: number | null | undefined): number | null {
  if (given == null) return null;
  // Positions are whole numbers, so a fraction means the next of them.
  return Math.min(Math.max(Math.ceil(given), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}
