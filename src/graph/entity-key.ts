import { hash } from 'node:crypto';
import { fold } from '../text/fold.js';
import { inOneLine } from '../text/one-line.js';

// Ids are digests of what identifies: whoever names the same makes the same id, without asking or waiting for anyone.

/** What tells an entity from others. */
export interface NamedEntity {
  readonly name: string;
  readonly type: string | null;
  readonly namespace: string | null;
  readonly identifier: string | null;
  /** The item that alone tells who is meant: "Mr. Smith" of another is somebody else. */
  readonly item?: string;
  /** It is a product beside the organization of its name, both of one supplied graph. */
  readonly isApart?: boolean;
}

/** The namespace of people and accounts. */
export const actorsNamespace = 'actors';
/** The namespace of items. */
export const sourcesNamespace = 'sources';

/**
 * Types that say the same of an entity. A text seldom tells a company from what it makes, or says at all what a name
 * names: such are one with the organization of that name, as people and places are not.
 */
const typeClasses: Readonly<Record<string, string>> = {
  actor: 'person',
  author: 'person',
  human: 'person',
  people: 'person',
  per: 'person',
  user: 'person',
  company: 'organization',
  corp: 'organization',
  org: 'organization',
  organisation: 'organization',
  '': 'organization',
  entity: 'organization',
  misc: 'organization',
  other: 'organization',
  product: 'organization',
  thing: 'organization',
  unknown: 'organization',
  city: 'location',
  country: 'location',
  loc: 'location',
  place: 'location',
};
const emailPattern = /^(?:mailto:)?([^\s@:<>]+@[^\s@<>]+)$/i;

/**
 * The id of an entity within its collection. Its identifier decides, an e-mail address wherever it is from; without one its
 * namespace, the class of its type and its name. So a name with two identifiers is two entities.
 */
export function entityId(
  collectionId: number,
  { name, type, namespace, identifier, item, isApart = false }: NamedEntity,
): string {
  const given = identifier?.trim();
  const email = given ? emailOf(given) : emailOf(name);
  if (email !== undefined) return digest(collectionId, 'email', email);
  const space = fold(namespace?.trim() ?? '');
  if (given) return digest(collectionId, 'identifier', space, given);
  const plain = fold(type?.trim() ?? '');
  const whose = item === undefined ? [] : [item];
  const kind = isApart ? plain : (typeClasses[plain] ?? plain);
  return digest(collectionId, 'name', space, kind, nameKey(name), ...whose);
}

/** Whether its type says that it is what somebody makes. */
export function isProduct({ type }: Pick<NamedEntity, 'type'>): boolean {
  return fold(type?.trim() ?? '') === 'product';
}

/** The address in lower case; undefined for what is none. */
export function emailOf(text: string | null | undefined): string | undefined {
  return emailPattern.exec(text?.trim() ?? '')?.[1]?.toLowerCase();
}

/** What two spellings of a name have in common: case, accents, white space and punctuation around it do not count. */
export function nameKey(name: string): string {
  const plain = inOneLine(fold(name));
  // Signs belong to a name: C, C++ and C# are three.
  return plain.replace(/^[\s"'“”‘’«»(\[{]+|[\s"'“”‘’«»)\]}.,;:!?…]+$/g, '') || plain;
}

/** What a link to an item by its id names. */
export function itemKey(collectionId: number, id: string): string {
  return digest(collectionId, 'item', id);
}

/** What a link to an item of another application names. */
export function externalKey(collectionId: number, provider: string | null, externalId: string): string {
  return digest(collectionId, 'external', provider ?? '', externalId);
}

/** What members of a thread have in common. */
export function threadKey(collectionId: number, provider: string | null, threadId: string): string {
  return digest(collectionId, 'thread', provider ?? '', threadId);
}

/** What the same relations are called whenever they are shown together. */
export function groupKey(relationshipIds: readonly string[]): string {
  return uuidOf(JSON.stringify(['group', ...relationshipIds]));
}

function digest(collectionId: number, ...parts: readonly string[]): string {
  return uuidOf(JSON.stringify([collectionId, ...parts]));
}

/** A UUID (version 8) that is the same for the same text. */
export function uuidOf(text: string): string {
  const hex = hash('sha256', text);
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
