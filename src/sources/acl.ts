import type { Caller } from '../accounts/caller.js';
import { invalidInput } from '../errors.js';
import { checkCount } from '../lib/bounded-number.js';
import { characterCount } from '../lib/characters.js';
import { LIMITS } from '../limits.js';
import type { AddParameter } from '../postgres/sql-parameters.js';

/**
 * Who may read an item: null for everyone, an empty list for nobody, else callers who answer as one of these
 * principals.
 */
export type Acl = readonly string[] | null;

/**
 * The principals that a caller answers as; null for a caller who sees everything except what nobody may read.
 */
export type Readers = readonly string[] | null;

const everyone = '*';
const anyIdentified = 'public';

/**
 * The access list that was sent with an item; undefined when none was. @throws AppError INVALID_INPUT naming
 * the limit
 */
export function readAcl(
  given: readonly string[] | null | undefined,
  path: string,
): readonly string[] | undefined {
  return given === undefined ? undefined : readPrincipals(given ?? [], path);
}

/**
 * The principals that a call answers as: its `acl`, narrowed to those of its key. @throws AppError
 * INVALID_INPUT naming the limit
 */
export function readReaders(
  { principals }: Pick<Caller, 'principals'>,
  acl: readonly string[] | null | undefined,
): Readers {
  // Whoever answers as anybody also counts as identified.
  const own = principals?.length
    ? [...withDomains(readPrincipals(principals, 'principals')), anyIdentified]
    : principals;
  const named = isUnscoped(acl) ? own : withDomains(readPrincipals(acl ?? [], 'acl'));
  if (named === null) return null;
  const readers = own ? named.filter((principal) => own.includes(principal)) : named;
  return readers.length > 0 ? [...new Set([...readers, anyIdentified])] : [];
}

/** Whether a caller may read an item with this access list. */
function mayRead(acl: Acl, readers: Readers): boolean {
  if (acl === null) return true;
  return readers === null ? acl.length > 0 : acl.some((principal) => readers.includes(principal));
}

/** Whether a caller may know that an item exists. What nobody may read is shown to those who may write it. */
export function maySee(acl: Acl, caller: Pick<Caller, 'principals' | 'scopes'>): boolean {
  if (acl?.length === 0) return caller.scopes.has('write');
  return mayRead(acl, readReaders(caller, undefined));
}

/** SQL for mayRead on the column `acl`. */
export function mayReadSql(column: string, readers: Readers, add: AddParameter): string {
  if (readers === null) return `${column} is distinct from '{}'::text[]`;
  if (readers.length === 0) return `${column} is null`;
  return `(${column} is null or ${column} && ${add(readers)}::text[])`;
}

/**
 * Which items a call sees where items are managed. Who may write also sees hidden ones, which nobody may read,
 * unless `acl` names principals.
 */
export interface ItemAccess {
  readonly readers: Readers;
  readonly seesHidden: boolean;
}

/** @throws AppError INVALID_INPUT naming the bound. */
export function readItemAccess(
  caller: Pick<Caller, 'principals' | 'scopes'>,
  acl: readonly string[] | null | undefined,
): ItemAccess {
  return {
    readers: readReaders(caller, acl),
    seesHidden: isUnscoped(acl) && caller.scopes.has('write'),
  };
}

/** SQL for maySee. */
export function maySeeSql(column: string, { readers, seesHidden }: ItemAccess, add: AddParameter): string {
  if (!seesHidden) return mayReadSql(column, readers, add);
  return readers === null ? 'true' : `(${mayReadSql(column, readers, add)} or ${column} = '{}'::text[])`;
}

function isUnscoped(acl: readonly string[] | null | undefined): boolean {
  return acl == null || (acl.length === 1 && acl[0]?.trim() === everyone);
}

function readPrincipals(given: readonly string[], path: string): readonly string[] {
  checkCount(given.length, path, { noun: 'principals', max: LIMITS.aclPrincipalsMax });
  const read = given.map((principal, index) => {
    const plain = principal.trim().toLowerCase();
    const characters = characterCount(plain);
    if (plain === '' || characters > LIMITS.aclPrincipalCharactersMax) {
      throw invalidInput(
        `${path}[${index}]`,
        `has ${characters} characters; it must have 1 to ${LIMITS.aclPrincipalCharactersMax}`,
      );
    }
    if (plain === '__public__') return anyIdentified;
    return isEmail(plain) ? `user_email:${plain}` : plain;
  });
  return [...new Set(read)];
}

function isEmail(principal: string): boolean {
  return /^[^\s@:]+@[^\s@]+$/.test(principal);
}

/** Whoever has an e-mail address also belongs to its domain. */
function withDomains(principals: readonly string[]): readonly string[] {
  return principals.flatMap((principal) => {
    const [, domain] = /^user_email:[^@]+@(.+)$/.exec(principal) ?? [];
    return domain === undefined ? [principal] : [principal, `domain:${domain}`];
  });
}
