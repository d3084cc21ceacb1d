import { groupBy } from '../../lib/group-by.js';
import { companyTypes } from '../entity-key.js';
import { legalFormEnds, splitLegalForm } from '../legal-forms.js';

/** How many mentions of a name are read; enough to show every spelling that is common. */
const namesakesMax = 200;

/** An item's mention of a company, among companies whose names differ only by a legal form. */
export interface NamesakeRow {
  readonly collectionId: number;
  /** The name without its legal form. */
  readonly base: string;
  readonly entityId: string;
  readonly nameKey: string;
  /** In capitals. */
  readonly type: string;
  readonly sourceUid: string;
}

/** For each entity that is another one, the id that is used instead. */
export type SameEntities = ReadonlyMap<string, string>;

/**
 * Joins "Vega Robotics" with "Vega Robotics SA" if only one company has that name. It does not if there are
 * both an SA and a GmbH, or if one item names the two as different. A name of a single word must be called
 * an organization somewhere, since anything may be called so.
 */
export function joinNamesakes(rows: readonly NamesakeRow[]): SameEntities {
  const same = new Map<string, string>();
  const families = groupBy(rows, ({ collectionId, base }) => `${collectionId} ${base}`);
  for (const family of families.values()) {
    const isPlain = ({ nameKey }: NamesakeRow) => splitLegalForm(nameKey) === undefined;
    const plain = family.filter(isPlain);
    const forms = groupBy(
      family.filter((row) => !isPlain(row)),
      ({ nameKey }) => splitLegalForm(nameKey)?.form ?? '',
    );
    for (const spelt of forms.values()) join(same, spelt);
    const [only, ...others] = forms.values();
    if (only && others.length === 0 && isCompany(plain)) join(same, [...plain, ...only]);
  }
  return same;
}

function isCompany(plain: readonly NamesakeRow[]): boolean {
  return plain.some(
    ({ base, type }) => base.includes(' ') || /^(?:ORGANI[SZ]ATION|COMPANY|CORP|ORG)$/.test(type),
  );
}

/**
 * Lets the first entity stand for all. Not if one item names two of them, nor if one name belongs to two,
 * such as a maker and its product in a supplied graph.
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

/** Both kinds of sameness in one; who is the same as another that is the same as a third is that one. */
export function bothSame(one: SameEntities, other: SameEntities): SameEntities {
  const both = new Map([...one, ...other]);
  return new Map([...both].map(([id, first]) => [id, both.get(first) ?? first]));
}

/** These ids, and all others by which the same entities go. */
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

/** Replaces the ends of groups by the entities that stand for them. */
export function betweenSame<Group extends Ends>(groups: readonly Group[], same: SameEntities): Group[] {
  if (same.size === 0) return [...groups];
  return groups.map((group) => ({
    ...group,
    sourceEntity: same.get(group.sourceEntity) ?? group.sourceEntity,
    targetEntity: same.get(group.targetEntity) ?? group.targetEntity,
  }));
}

/**
 * SQL that returns `NamesakeRow`s for the companies among some ids. `mentions` are rows `m`
 * of entity_mentions that the reader may see, `ids` is a set of UUIDs, and `pattern` a
 * placeholder for legalFormPattern.
 */
export function namesakesSql(mentions: string, { ids, pattern }: { ids: string; pattern: string }): string {
  const mayBe = `not m.is_alias and m.identifier is null and m.namespace = '' and upper(m.type) in (${companyTypes.map((type) => `'${type}'`).join(', ')})`;
  const hasForm = `replace(split_part(m.name_key, ' ', -1), '.', '') in (${legalFormEnds.map((end) => `'${end}'`).join(', ')})`;
  const base = `case when ${hasForm} then regexp_replace(m.name_key, ${pattern}::text, '') else m.name_key end`;
  // Anchored where the base ends: the pattern alone is tried at every letter of every name.
  const isOfBase = `(m.name_key = n.base or substr(m.name_key, length(n.base) + 1) ~ ('^' || ${pattern}::text))`;
  return `select n.collection_id as "collectionId", n.base, o.entity_id::text as "entityId", o.name_key as "nameKey", upper(o.type) as type, o.source_uid::text as "sourceUid"
    from (select distinct f.collection_id, f.base from ${ids} as i(id) cross join lateral (
            select m.collection_id, ${base} as base from ${mentions} where m.entity_id = i.id and ${mayBe} limit 1) f) n
   cross join lateral (
     select m.entity_id, m.name_key, m.type, m.source_uid from ${mentions}
      where m.collection_id = n.collection_id and m.name_key >= n.base and m.name_key < n.base || '-' and ${mayBe} and ${isOfBase}
      limit ${namesakesMax}) o
   order by n.collection_id, n.base, length(o.name_key), o.entity_id`;
}
