import type { DiscoveredPage, DiscoveredResource } from '../../provider.js';
import { noListOf } from '../../provider-http.js';
import type { SlackApi } from './slack-api.js';
import { isForOneTeam, teamsOf } from './slack-teams.js';

export interface SlackChannel {
  readonly id: string;
  readonly name?: string;
  readonly is_private?: boolean;
  readonly is_im?: boolean;
  readonly is_mpim?: boolean;
  readonly is_archived?: boolean;
  readonly is_member?: boolean;
  readonly num_members?: number;
  readonly topic?: { readonly value?: string };
  readonly purpose?: { readonly value?: string };
}

export interface Paged {
  readonly has_more?: boolean;
  readonly response_metadata?: { readonly next_cursor?: string };
}

interface ListPart {
  readonly cursor: string;
  readonly limit: number;
}

/** The cursor within the channels of a workspace, for tokens of an organization. */
const withinTeam = /^(\w+) (.*)$/;

/** A page of the channels that can be synced: of an organization, of one workspace after the other. */
export async function listChannels(
  api: SlackApi,
  { cursor, limit }: ListPart,
  signal: AbortSignal,
): Promise<DiscoveredPage> {
  const [, team, rest = ''] = withinTeam.exec(cursor) ?? [];
  if (team === undefined)
    try {
      return await listPart(api, { cursor, limit }, signal);
    } catch (error) {
      if (!isForOneTeam(error)) throw error;
    }
  const teams = await teamsOf(api, signal);
  const id = team ?? teams[0];
  if (id === undefined) return { resources: [], nextCursor: null };
  const page = await listPart(api, { cursor: rest, limit, team_id: id }, signal);
  if (page.nextCursor !== null) return { ...page, nextCursor: `${id} ${page.nextCursor}` };
  const after = teams.find((each) => each > id);
  return { ...page, nextCursor: after === undefined ? null : `${after} ` };
}

async function listPart(
  api: SlackApi,
  { cursor, ...asked }: ListPart & { team_id?: string },
  signal: AbortSignal,
): Promise<DiscoveredPage> {
  const { channels, response_metadata } = await api.call<Paged & { channels?: readonly SlackChannel[] }>(
    'conversations.list',
    { types: 'public_channel,private_channel', ...asked, ...(cursor ? { cursor } : {}) },
    signal,
  );
  if (!channels) throw noListOf('Slack', 'a list without channels');
  return { resources: channels.map(channelResource), nextCursor: response_metadata?.next_cursor || null };
}

/** A channel as a resource that can be synced. */
export function channelResource({ id, name, topic, purpose, ...channel }: SlackChannel): DiscoveredResource {
  return {
    id,
    name: name ? `#${name}` : id,
    type: 'channel',
    metadata: {
      is_private: channel.is_private === true,
      is_archived: channel.is_archived === true,
      is_member: channel.is_member === true,
      topic: topic?.value ?? '',
      purpose: purpose?.value ?? '',
      ...(channel.num_members === undefined ? {} : { num_members: channel.num_members }),
    },
  };
}
