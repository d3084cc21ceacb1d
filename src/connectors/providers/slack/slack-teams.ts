import { ProviderError } from '../../provider.js';
import { noListOf } from '../../provider-http.js';
import type { SlackApi } from './slack-api.js';

const teamsPerPage = 100;

/**
 * Whether a list was refused because the token is that of an app installed in a whole organization (Enterprise
 * Grid), for which lists are those of one workspace.
 */
export function isForOneTeam(error: unknown): boolean {
  return error instanceof ProviderError && /\bmissing_argument\b/.test(error.message);
}

/** The ids of the workspaces in which an app of an organization may read, sorted. */
export async function teamsOf(api: SlackApi, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const asked = { limit: teamsPerPage, ...(cursor ? { cursor } : {}) };
    const { teams, response_metadata } = await api.call<{
      teams?: readonly { readonly id: string }[];
      response_metadata?: { readonly next_cursor?: string };
    }>('auth.teams.list', asked, signal);
    if (!teams) throw noListOf('Slack', 'a list without workspaces');
    ids.push(...teams.map(({ id }) => id));
    cursor = response_metadata?.next_cursor ?? '';
    if (cursor === '') return ids.sort();
  }
}
