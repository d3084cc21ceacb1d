import { LIMITS } from '../../../limits.js';
import { ProviderError } from '../../provider.js';
import type { AtlassianHttp } from '../atlassian/atlassian-http.js';
import type { ConfluencePerson } from './confluence-content.js';

interface SpacePermission {
  readonly principal?: { readonly type?: string; readonly id?: string };
  readonly operation?: { readonly key?: string; readonly targetType?: string };
}

const permissionPagesMax = 40;

/**
 * Who may read a space, by its permissions; people and groups whose address or name is hidden are left out.
 */
export async function spaceReaders(
  spaceId: string,
  http: AtlassianHttp,
  signal: AbortSignal,
): Promise<string[]> {
  const readers = new Map<string, NonNullable<SpacePermission['principal']>>();
  let cursor: string | undefined;
  for (let page = 0; page < permissionPagesMax; page++) {
    const path = `/wiki/api/v2/spaces/${encodeURIComponent(spaceId)}/permissions`;
    const answer = await http.list<SpacePermission>(path, { limit: 250, cursor }, signal);
    for (const { principal, operation } of answer.results) {
      const isRead = operation?.key === 'read' && operation.targetType === 'space';
      if (isRead && principal?.id) readers.set(`${principal.type}:${principal.id}`, principal);
    }
    cursor = cursorOf(answer._links?.next);
    if (cursor === undefined) break;
  }
  const principals: string[] = [];
  for (const { type, id = '' } of readers.values()) {
    const named = await principalOf(type, id, { http, signal });
    if (named && named.length <= LIMITS.aclPrincipalCharactersMax) principals.push(named);
  }
  return principals.slice(0, LIMITS.aclPrincipalsMax);
}

/** The part of the link to the next page that says where it begins. */
export function cursorOf(next: string | undefined): string | undefined {
  return next ? (new URL(next, 'http://next').searchParams.get('cursor') ?? undefined) : undefined;
}

async function principalOf(
  type: string | undefined,
  id: string,
  { http, signal }: { http: AtlassianHttp; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    if (type === 'group') {
      const { name } = await http.get<{ name?: string }>('/wiki/rest/api/group/by-id', { id }, signal);
      return name && `group:${name}`;
    }
    if (type !== 'user') return undefined;
    const { email } = await http.get<ConfluencePerson>('/wiki/rest/api/user', { accountId: id }, signal);
    return email && `user_email:${email}`;
  } catch (error) {
    // An account that is closed, or that this account may not see.
    if (error instanceof ProviderError && (error.kind === 'missing' || error.kind === 'refused'))
      return undefined;
    throw error;
  }
}
