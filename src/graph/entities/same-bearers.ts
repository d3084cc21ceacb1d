import { groupBy } from '../../lib/group-by.js';
import { actorsNamespace, companyTypes, entityId, personTypes } from '../entity-key.js';
import type { SameEntities } from './same-entities.js';

/** So many bearers of a name are read; if there are as many, they are not joined. */
const bearersMax = 20;
const namesMax = 20;
/** The longest abbreviation, in letters. */
const lettersMax = 8;

/** A person, account or organization that goes by a name. */
export interface BearerRow {
  readonly collectionId: number;
  readonly nameKey: string;
  readonly entityId: string;
  readonly namespace: string;
  /** An e-mail address, or what else makes the bearer unmistakable. */
  readonly identifier: string | null;
  /** Whether the name is an abbreviation. */
  readonly isShort: boolean;
  /** Whether the bearer has a longer name. */
  readonly isAlias: boolean;
}

/**
 * Joins whoever texts and applications know by a full name alone with the only one of that name who has an
 * address, and "WHO" with the only organization of which some item says that it goes by that. Where there are
 * two, nobody knows which of them a bare name means.
 */
export function joinBearers(rows: readonly BearerRow[]): SameEntities {
  const same = new Map<string, string>();
  for (const bearers of groupBy(rows, ({ collectionId, nameKey }) => `${collectionId} ${nameKey}`).values()) {
    const isShort = bearers.some((each) => each.isShort);
    const isMeant = ({ identifier, isAlias }: BearerRow) => (isShort ? isAlias : identifier !== null);
    const named = bearers.filter((each) => !isMeant(each) && isKnownByName(each));
    const [meant = named[0], ...others] = bearers.filter(isMeant);
    if (!meant || others.length > 0 || bearers.length === bearersMax) continue;
    for (const { entityId: id } of named) if (id !== meant.entityId) same.set(id, meant.entityId);
  }
  return same;
}

/** Whether the name alone makes the entity; otherwise only one item knows who is meant. */
function isKnownByName(bearer: BearerRow): boolean {
  const { collectionId, nameKey, entityId: id, namespace, identifier, isShort } = bearer;
  if (identifier !== null) return false;
  const named = { name: nameKey, type: isShort ? 'ORGANIZATION' : 'PERSON', namespace, identifier };
  return namespace === actorsNamespace || id === entityId(collectionId, named);
}

/**
 * SQL that returns `BearerRow`s for the full names of the people, and the abbreviations of the organizations,
 * among some ids. `mentions` are rows `m` of entity_mentions that the reader may see, `ids` is a set of UUIDs.
 */
export function bearersSql(mentions: string, ids: string): string {
  const listed = (types: readonly string[]) => types.map((type) => `'${type}'`).join(', ');
  const isPerson = `not m.is_alias and m.name_key like '% %' and upper(m.type) in (${listed(personTypes)}) and m.namespace in ('', '${actorsNamespace}')`;
  const isCompany = `upper(m.type) in (${listed(companyTypes)}) and m.namespace = ''`;
  // Of "World Health Organization" the key of "WHO", as of that itself.
  const initials = `lower(regexp_replace(m.name, '[^A-Z]', '', 'g'))`;
  const isLong = `not m.is_alias and ${isCompany} and length(${initials}) between 2 and ${lettersMax}`;
  const isSpelt = `${isCompany} and m.name = upper(m.name)`;
  // What both have in common is said apart, or Postgres expects many of them, and plans anew each time.
  const isEither = `m.namespace in ('', '${actorsNamespace}') and upper(m.type) in (${listed([...personTypes, ...companyTypes])})`;
  // From one bearer to the next in the index, so that the mentions of each do not count.
  const next = (behind: string) =>
    `(select m.entity_id, m.namespace, m.identifier, m.is_alias from ${mentions}
       where m.collection_id = n.collection_id and m.name_key = n.name_key
         and ${isEither} and case when n.is_short then ${isSpelt} else ${isPerson} end ${behind}
       order by m.entity_id limit 1)`;
  return `select n.collection_id as "collectionId", n.name_key as "nameKey", b.entity_id::text as "entityId", b.namespace, b.identifier,
         n.is_short as "isShort", b.is_alias as "isAlias"
    from (select distinct f.collection_id, f.name_key, f.is_short from ${ids} as i(id) cross join lateral (
            (select m.collection_id, m.name_key, false as is_short from ${mentions} where m.entity_id = i.id and ${isPerson} limit ${namesMax})
            union all
            (select m.collection_id, ${initials}, true from ${mentions} where m.entity_id = i.id and ${isLong} limit 1)) f) n
   cross join lateral (
     with recursive bearers as (
       ${next('')}
       union all
       select o.* from bearers b cross join lateral ${next('and m.entity_id > b.entity_id')} o)
     select * from bearers limit ${bearersMax}) b
   order by n.collection_id, n.name_key, b.is_alias desc, b.entity_id`;
}
