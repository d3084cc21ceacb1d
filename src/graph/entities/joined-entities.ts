import type { EntityManager } from 'typeorm';
import type { GraphRead } from '../graph-reads.js';
import { findEntities, findSomeIds, findSourcesOf } from './entities.queries.js';
import type { FoundEntity, WantedEntities } from './entities.queries.js';
import type { Entity } from './entities.types.js';
import { withNamesakes } from './same-entities.js';
import { sameAs } from './same-entities.queries.js';

/** Up to this many matches are joined for the total; beyond, a company with two names counts twice. */
const countedMax = 1_000;

/**
 * Joins those entities of a page that are one company under two names. The joined entity stands where the
 * first of its names is found; if that is on another page, it is left out here. Entities that were asked
 * for by id alone are not joined.
 */
export async function joinListed(
  manager: EntityManager,
  read: GraphRead,
  { rows, wanted }: { rows: readonly FoundEntity[]; wanted: WantedEntities },
): Promise<FoundEntity[]> {
  const ids = rows.map(({ id }) => id);
  const same = wanted.name ? await sameAs(manager, read, ids) : new Map<string, string>();
  if (same.size === 0) return [...rows];
  const joined = withNamesakes(
    ids.filter((id) => same.has(id) || [...same.values()].includes(id)),
    same,
  );
  const find = (which: WantedEntities) =>
    findEntities(manager, read, {
      wanted: which,
      range: { offset: 0, limit: joined.length },
      behind: undefined,
    });
  const listed = await find({ ...wanted, ids: joined });
  const members = await find({ name: undefined, ids: joined });
  const familyOf = ({ id }: { readonly id: string }) => same.get(id) ?? id;
  const sources = await findSourcesOf(
    manager,
    read,
    members.map((member) => ({ id: member.id, family: familyOf(member) })),
  );
  return rows.flatMap((row) => {
    const id = familyOf(row);
    const family = members.filter((member) => familyOf(member) === id);
    const named = sources.find((each) => each.id === id);
    if (family.length < 2 || !named) return [row];
    const isFirst = listed.find((other) => familyOf(other) === id)?.id === row.id;
    return isFirst ? [joinFamily(row, named, family)] : [];
  });
}

/** The number of matching entities, with companies under two names counted once. */
export async function countJoined(
  manager: EntityManager,
  read: GraphRead,
  { wanted, total }: { wanted: WantedEntities; total: number },
): Promise<number> {
  if (!wanted.name) return total;
  const ids = await findSomeIds(manager, read, { wanted, limit: countedMax });
  const same = await sameAs(manager, read, ids);
  return total - ids.length + new Set(ids.map((id) => same.get(id) ?? id)).size;
}

/** Joins entities into one. It has the name of the first; the other names become aliases. */
function joinFamily(
  row: FoundEntity,
  named: Pick<Entity, 'id' | 'sourceCount' | 'sourceIds'>,
  family: readonly FoundEntity[],
): FoundEntity {
  const first = family.find(({ id }) => id === named.id) ?? row;
  const names = family.flatMap(({ name, aliases }) => [name, ...aliases]);
  return {
    ...first,
    ...named,
    match: row.match,
    nameKey: row.nameKey,
    aliases: [...new Set(names)].filter((name) => name !== first.name),
  };
}
