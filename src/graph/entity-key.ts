import { hash } from 'node:crypto';
import { fold } from '../text/fold.js';
import { inOneLine } from '../text/one-line.js';

// Ids are digests of what identifies a thing. So everyone who names the same thing makes the same
// id, without a look-up or a lock.

/** What distinguishes an entity from others. */
export interface NamedEntity {
  readonly name: string;
  readonly type: string | null;
  readonly namespace: string | null;
  readonly identifier: string | null;
  /** Set when only one item knows who is meant: "Mr. Smith" of another item is another person. */
  readonly item?: string;
  /** Whether it is a product beside an organization of the same name in one supplied graph. */
  readonly isApart?: boolean;
}

/** The namespace of people and accounts. */
export const actorsNamespace = 'actors';
/** The namespace of items. */
export const sourcesNamespace = 'sources';
/** The namespaces of comments and attachments of items. */
export const commentsNamespace = 'comments';
export const attachmentsNamespace = 'attachments';

/**
 * The class of a type; types of one class are not told apart. Texts seldom distinguish a company
 * from what it makes, and often give a name without a type. Those count as the organization of
 * that name; people and places do not.
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
/** The types that a company may have, in capitals, since texts differ about them. */
export const companyTypes: readonly string[] = [
  'ORGANIZATION',
  ...Object.keys(typeClasses)
    .filter((type) => typeClasses[type] === 'organization')
    .map((type) => type.toUpperCase()),
];
/** The types that people and their accounts have, in capitals. */
export const personTypes: readonly string[] = [
  'PERSON',
  ...Object.keys(typeClasses)
    .filter((type) => typeClasses[type] === 'person')
    .map((type) => type.toUpperCase()),
];
const emailPattern = /^(?:mailto:)?([^\s@:<>]+@[^\s@<>]+)$/i;

/**
 * The id of an entity within its collection, a UUID. An identifier decides, and an e-mail address does so
 * whatever its namespace. Without an identifier the namespace, the class of the type and the name decide.
 * So one name with two identifiers is two entities.
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
  return digest(collectionId, 'name', space, kind, spelledOut(nameKey(name)), ...whose);
}

/** Whether an entity's type is PRODUCT, in any case. */
export function isProduct({ type }: Pick<NamedEntity, 'type'>): boolean {
  return fold(type?.trim() ?? '') === 'product';
}

/** Whether an entity's type is that of a person or of an account. */
export function isPerson({ type }: Pick<NamedEntity, 'type'>): boolean {
  return personTypes.includes((type?.trim() ?? '').toUpperCase());
}

/** The e-mail address that a text consists of, in lower case; undefined if it is not one. */
export function emailOf(text: string | null | undefined): string | undefined {
  return emailPattern.exec(text?.trim() ?? '')?.[1]?.toLowerCase();
}

/**
 * A name, normalised for comparison. Case, accents, white space, the form of apostrophes and punctuation
 * around it do not matter.
 */
export function nameKey(name: string): string {
  const plain = inOneLine(fold(name)).replace(/[‘’ʼ]/g, "'");
  // Signs belong to the name: C, C++ and C# are three.
  return plain.replace(/^[\s"'“”«»(\[{]+|[\s"'“”«»)\]}.,;:!?…]+$/g, '') || plain;
}

/** A key with "and" for its "&": "johnson and johnson". */
export function spelledOut(key: string): string {
  return key.replaceAll(' & ', ' and ');
}

/** "johnson and johnson" for the key "johnson & johnson", and the other way round; undefined for other keys. */
export function spelledAlso(key: string): string | undefined {
  if (key.includes(' & ')) return spelledOut(key);
  return key.includes(' and ') ? key.replaceAll(' and ', ' & ') : undefined;
}

/** The key by which links to an item by its id are found. */
export function itemKey(collectionId: number, id: string): string {
  return digest(collectionId, 'item', id);
}

/** The key by which links to an item by its id in an application are found. */
export function externalKey(collectionId: number, provider: string | null, externalId: string): string {
  return digest(collectionId, 'external', provider ?? '', externalId);
}

/** The key that the items of a thread share. */
export function threadKey(collectionId: number, provider: string | null, threadId: string): string {
  return digest(collectionId, 'thread', provider ?? '', threadId);
}

/** The id of a group of relations; equal whenever the same relations are shown together. */
export function groupKey(relationshipIds: readonly string[]): string {
  return uuidOf(JSON.stringify(['group', ...relationshipIds]));
}

function digest(collectionId: number, ...parts: readonly string[]): string {
  return uuidOf(JSON.stringify([collectionId, ...parts]));
}

/** A UUID (version 8) made of a text's SHA-256, so that the same text gives the same UUID. */
export function uuidOf(text: string): string {
  const hex = hash('sha256', text);
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
