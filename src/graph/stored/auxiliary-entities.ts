import { clip } from '../../lib/characters.js';
import type { AppAttachment, AppComment } from '../../sources/source.types.js';
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
}

const nameCharactersMax = 256;
const commentCharactersMax = 80;

/**
 * The person or account in a field: an address, `Name <address>`, `@handle` or a
 * name. Undefined for a blank field.
 */
export function actorOf(value: string, provider: string | null): AuxiliaryEntity | undefined {
  const [called, address] = addressed(value);
  const email = emailOf(address) ?? emailOf(value);
  const name = clip((called || (email ?? value)).trim().replace(/^@+(?=\S)/, ''), nameCharactersMax);
  if (name === '') return undefined;
  return {
    name,
    type: 'ACTOR',
    namespace: actorsNamespace,
    identifier: email ?? null,
    provider: provider ?? '',
  };
}

/** The parts of `Name <address>`, the name without quotes; both are empty for anything else. */
function addressed(value: string): readonly [name: string, address: string] {
  const [, before = '', address = ''] = /^([^<]*)<([^<>]+)>$/.exec(value.trim()) ?? [];
  const name = /^"?([^"]*)"?$/.exec(before.trim())?.[1];
  return name === undefined ? ['', ''] : [name, address];
}

/**
 * The id of a person or account. Without an e-mail address it belongs to its application, so equal names in
 * other applications are others.
 */
export function actorId(collectionId: number, actor: AuxiliaryEntity): string {
  return entityId(collectionId, { ...actor, identifier: actor.identifier ?? accountOf(actor) });
}

/** What identifies an account: its application and its name there. Null if it is of no application. */
export function accountOf({ provider, name }: Pick<AuxiliaryEntity, 'provider' | 'name'>): string | null {
  return provider === '' ? null : `${provider}:${nameKey(name)}`;
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
