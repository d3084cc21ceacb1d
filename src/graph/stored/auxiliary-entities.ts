import { clip } from '../../lib/characters.js';
import type { AppAttachment, AppComment } from '../../sources/source.types.js';
import { readAddressed, readMailName } from '../../text/mail-names.js';
import { inOneLine } from '../../text/one-line.js';
import {
  actorsNamespace,
  attachmentsNamespace,
  commentsNamespace,
  emailOf,
  entityId,
  nameKey,
} from '../entity-key.js';
import type { NamedEntity } from '../entity-key.js';

/** A person, comment or attachment that belongs to an item. */
export interface AuxiliaryEntity extends NamedEntity {
  readonly type: string;
  readonly namespace: string;
  readonly provider: string;
  /** The address that the person writes from, together with others. */
  readonly mailbox?: string;
}

const nameCharactersMax = 256;
const commentCharactersMax = 80;

/**
 * The person or account in a field: an address, `Name <address>`, `@handle` or a name. Where many write from
 * the address, as at a desk, it is not that person's: both are returned. None for a blank field.
 */
export function actorsOf(value: string, provider: string | null): AuxiliaryEntity[] {
  const { name: called, address } = readAddressed(value) ?? { name: '', address: value };
  const email = emailOf(address) ?? null;
  if (email === null || called === '') return actor(email ?? (called || value), email, provider);
  const { name, whose } = readMailName(called, email);
  if (whose !== 'writer') return actor(name, email, provider);
  const writers = actor(name, null, provider).map((writer) => ({ ...writer, mailbox: email }));
  return [...writers, ...actor(email, email, provider)];
}

function actor(called: string, identifier: string | null, provider: string | null): AuxiliaryEntity[] {
  const name = clip(called.trim().replace(/^@+(?=\S)/, ''), nameCharactersMax);
  if (name === '') return [];
  return [{ name, type: 'ACTOR', namespace: actorsNamespace, identifier, provider: provider ?? '' }];
}

/**
 * The id of a person or account. Without an e-mail address it belongs to its application or to a shared
 * mailbox, so equal names in others are others.
 */
export function actorId(collectionId: number, actor: AuxiliaryEntity): string {
  return entityId(collectionId, { ...actor, identifier: actor.identifier ?? accountOf(actor) });
}

/** What identifies an account: its application or mailbox, and its name there. Null if it is of neither. */
export function accountOf({
  provider,
  name,
  mailbox,
}: Pick<AuxiliaryEntity, 'provider' | 'name' | 'mailbox'>): string | null {
  const where = mailbox ?? provider;
  return where === '' ? null : `${where}:${nameKey(name)}`;
}

/** A comment of an item as an entity, named by its first words. */
export function commentOf({ id, body }: AppComment, provider: string | null): AuxiliaryEntity {
  const name = clip(inOneLine(body), commentCharactersMax);
  return part('COMMENT', commentsNamespace, { name, identifier: id, provider });
}

/** An attachment of an item as an entity. */
export function attachmentOf(
  { id, title, url }: AppAttachment,
  index: number,
  provider: string | null,
): AuxiliaryEntity {
  const name = clip(title ?? url ?? id ?? `attachment ${index + 1}`, nameCharactersMax);
  return part('ATTACHMENT', attachmentsNamespace, { name, identifier: id, provider });
}

function part(
  type: string,
  namespace: string,
  { name, identifier, provider }: { name: string; identifier: string | null; provider: string | null },
): AuxiliaryEntity {
  return { name: name || type.toLowerCase(), type, namespace, identifier, provider: provider ?? '' };
}
