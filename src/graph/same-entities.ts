import { addToList } from '../lib/add-to-list.js';
import { splitLegalForm } from './legal-forms.js';

/** Companies whose names differ by a legal form, as one item names each. */
export interface NamesakeRow {
  readonly collectionId: number;
  /** The name without its form. */
  readonly base: string;
  readonly entityId: string;
  readonly nameKey: string;
  /** In capitals. */
  readonly type: string;
  readonly sourceUid: string;
}

/** Entities that are another one: the id by which that goes instead. */
export type SameEntities = ReadonlyMap<string, string>;

/** What may be a company; the types that an entity of one name can have, whoever says so. */
export const companyTypes = ['ORGANIZATION', 'PRODUCT', 'OTHER', 'COMPANY', 'ORG', ''] as const;

/**
 * Joins "Vega Robotics" with "Vega Robotics SA", where only one company has that name: not where an SA and a GmbH do, or an
 * item tells the two apart. A name of one word must be said to be an organization's: any thing may be called so.
 */
export function joinNamesakes(rows: readonly NamesakeRow[]): SameEntities {
  const same = new Map<string, string>();
  for (const family of groupBy(rows, ({ collectionId, base }) => `${collectionId} ${base}`)) {
    const isPlain = ({ nameKey }: NamesakeRow) => splitLegalForm(nameKey) === undefined;
    const plain = family.filter(isPlain);
    const forms = groupBy(
      family.filter((row) => !isPlain(row)),
      ({ nameKey }) => splitLegalForm(nameKey)?.form ?? '',
    );
    for (const spelt of forms) join(same, spelt);
    const [only, ...others] = forms;
    if (only && others.length === 0 && isCompany(plain)) join(same, [...plain, ...only]);
  }
  return same;
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) addToList(groups, keyOf(row), row);
  return [...groups.values()];
}

function isCompany(plain: readonly NamesakeRow[]): boolean {
  return plain.some(({ base, type }) => base.includes(' ') || /^(?:ORGANIZATION|COMPANY|ORG)$/.test(type));
}

/**
 * The first of them stands for all; not where an item names two of them, nor where one name is of two, as of a maker and its product that
 * a supplied graph tells apart.
 */
function join(same: Map<string, string>, rows: readonly NamesakeRow[]): void {
  const isOne = (keyOf: (row: NamesakeRow) => string) => {
    const ids = new Map(rows.map((row) => [keyOf(row), row.entityId]));
    return rows.every((row) => ids.get(keyOf(row)) === row.entityId);
  };
  const [first] = rows;
  if (!first || !isOne(({ nameKey }) => nameKey) || !isOne(({ sourceUid }) => sourceUid)) return;
  for (const { entityId } of rows) if (entityId !== first.entityId) same.set(entityId, first.entityId);
}

/** All ids by which entities go. */
export function withNamesakes(ids: readonly string[], same: SameEntities): string[] {
  const wanted = new Set(ids.map((id) => same.get(id) ?? id));
  return [
    ...new Set([...ids, ...wanted, ...[...same].flatMap(([id, first]) => (wanted.has(first) ? [id] : []))]),
  ];
}

interface Ends {
  readonly sourceEntity: string;
  readonly targetEntity: string;
}

/** Groups between the entities that are meant. */
export function betweenSame<Group extends Ends>(groups: readonly Group[], same: SameEntities): Group[] {
  if (same.size === 0) return [...groups];
  return groups.map((group) => ({
    ...group,
    sourceEntity: same.get(group.sourceEntity) ?? group.sourceEntity,
    targetEntity: same.get(group.targetEntity) ?? group.targetEntity,
  }));
}

/**
 * SQL: rows of `NamesakeRow` for the companies among some ids. `mentions` are rows `m` of entity_mentions that may be seen,
 * `ids` a list of UUIDs.
 */
export function namesakesSql(mentions: string, { ids, pattern }: { ids: string; pattern: string }): string {
  const mayBe = `not m.is_alias and m.identifier is null and m.namespace = '' and upper(m.type) in (${companyTypes.map((type) => `'${type}'`).join(', ')})`;
  const base = `regexp_replace(m.name_key, ${pattern}::text, '')`;
  return `select n.collection_id as "collectionId", n.base, o.entity_id::text as "entityId", o.name_key as "nameKey", upper(o.type) as type, o.source_uid::text as "sourceUid"
    from (select distinct f.collection_id, f.base from ${ids} as i(id) cross join lateral (
            select m.collection_id, ${base} as base from ${mentions} where m.entity_id = i.id and ${mayBe} limit 1) f) n
   cross join lateral (
     select m.entity_id, m.name_key, m.type, m.source_uid from ${mentions}
      where m.collection_id = n.collection_id and m.name_key >= n.base and m.name_key < n.base || '-' and ${mayBe} and ${base} = n.base
      limit ${namesakesMax}) o
   order by n.collection_id, n.base, length(o.name_key), o.entity_id`;
}

/** Mentions that are looked at of one name: what is said more often is known by then. */
const namesakesMax = 200;
