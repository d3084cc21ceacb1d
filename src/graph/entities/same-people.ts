import { groupBy } from '../../lib/group-by.js';
import { actorsNamespace, entityId, personTypes } from '../entity-key.js';
import type { SameEntities } from './same-entities.js';

/** So many bearers of a name are read; if there are as many, they are not joined. */
const bearersMax = 20;
const namesMax = 20;

/** A person or account that goes by a full name. */
export interface BearerRow {
  readonly collectionId: number;
  readonly nameKey: string;
  readonly entityId: string;
  readonly namespace: string;
  /** An e-mail address, or what else makes the person unmistakable. */
  readonly identifier: string | null;
}

/**
 * Joins whoever texts and applications know by a full name alone with the only one of that name who has an
 * address. Where two have one, nobody knows which of them a bare name means.
 */
export function joinBearers(rows: readonly BearerRow[]): SameEntities {
  const same = new Map<string, string>();
  for (const bearers of groupBy(rows, ({ collectionId, nameKey }) => `${collectionId} ${nameKey}`).values()) {
    const identified = bearers.filter(({ identifier }) => identifier !== null);
    const named = bearers.filter(isKnownByName);
    const [meant = named[0], ...others] = identified;
    if (!meant || others.length > 0 || bearers.length === bearersMax) continue;
    for (const { entityId: id } of named) if (id !== meant.entityId) same.set(id, meant.entityId);
  }
  return same;
}

/** Whether the name alone makes the entity; otherwise only one item knows who is meant. */
function isKnownByName({ collectionId, nameKey, entityId: id, namespace, identifier }: BearerRow): boolean {
  if (identifier !== null) return false;
  const named = { name: nameKey, type: 'PERSON', namespace, identifier };
  return namespace === actorsNamespace || id === entityId(collectionId, named);
}

/**
 * SQL that returns `BearerRow`s for the full names of the people among some ids. `mentions` are rows `m` of
 * entity_mentions that the reader may see, `ids` is a set of UUIDs.
 */
export function bearersSql(mentions: string, ids: string): string {
  const types = personTypes.map((type) => `'${type}'`).join(', ');
  const isPerson = `not m.is_alias and m.name_key like '% %' and upper(m.type) in (${types}) and m.namespace in ('', '${actorsNamespace}')`;
  // From one bearer to the next in the index, so that the mentions of each do not count.
  const next = (behind: string) =>
    `(select m.entity_id, m.namespace, m.identifier from ${mentions}
       where m.collection_id = n.collection_id and m.name_key = n.name_key and ${isPerson} ${behind}
       order by m.entity_id limit 1)`;
  return `select n.collection_id as "collectionId", n.name_key as "nameKey", b.entity_id::text as "entityId", b.namespace, b.identifier
    from (select distinct f.collection_id, f.name_key from ${ids} as i(id) cross join lateral (
            select m.collection_id, m.name_key from ${mentions} where m.entity_id = i.id and ${isPerson} limit ${namesMax}) f) n
   cross join lateral (
     with recursive bearers as (
       ${next('')}
       union all
       select o.* from bearers b cross join lateral ${next('and m.entity_id > b.entity_id')} o)
     select * from bearers limit ${bearersMax}) b
   order by n.collection_id, n.name_key, b.entity_id`;
}
