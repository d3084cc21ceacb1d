import { z } from 'zod';
import { readCursor } from '../cursor.js';
import { ProviderError } from '../provider.js';
import type {
  Connection,
  DiscoveredPage,
  DiscoveredResource,
  Entry,
  Page,
  Provider,
  ResourceScope,
  Session,
  Unlisted,
} from '../provider.js';
import { noListOf } from '../provider-http.js';
import { SlackApi } from './slack/slack-api.js';
import type { SlackCredentials } from './slack/slack-api.js';
import { channelResource, listChannels } from './slack/slack-channels.js';
import type { Paged, SlackChannel } from './slack/slack-channels.js';
import { itemOf } from './slack/slack-item.js';
import { isBot, isSaid, messageVersion } from './slack/slack-message.js';
import type { SlackMessage } from './slack/slack-message.js';
import { SlackPeople } from './slack/slack-people.js';

/** How many messages are in a page of a first read or a walk. */
const pageMax = 200;
/**
 * How many of the newest messages outside of threads every sync looks at, for new replies in their threads
 * and for edits. Slack allows 999.
 */
const lookedAtMax = 500;
const repliesMax = 200;
const membersMax = 1000;
/** How many requests for replies one page may make. */
const threadsPerPageMax = 10;

export const slack: Provider<SlackCredentials> = {
  id: 'slack',
  name: 'Slack',
  category: 'messaging',
  authTypes: ['oauth', 'api_token'],
  resourceType: 'channel',
  supportsAcl: true,
  indexedObjectTypes: ['message'],
  searchableFields: ['body', 'author', 'attachments'],
  filterableFields: ['channel_id', 'ts', 'thread_ts', 'user_id'],
  credentials: z.strictObject({
    access_token: z
      .string()
      .trim()
      .min(1)
      .describe('Bot token (xoxb-…) or user token (xoxp-…) of a Slack app installed in the workspace'),
  }),
  filters: z.strictObject({
    include_bots: z.boolean().optional().describe('Messages of bots and apps too (default true)'),
    include_replies: z.boolean().optional().describe('Replies in threads too (default true)'),
  }),
  setupGuide: `1. On https://api.slack.com/apps create an app for your workspace ("From scratch").
2. Under **OAuth & Permissions** add the bot token scopes \`channels:read\`, \`channels:history\`, \`groups:read\`,
   \`groups:history\`, \`users:read\` and \`users:read.email\`.
3. **Install to Workspace** (or to the organization, whose workspaces are all read then) and copy the **Bot User OAuth Token** (\`xoxb-…\`): it is the access_token.
4. In every channel to be read write \`/invite @your-app\`.

New messages, and replies and edits among the newest 500 messages of a channel and their threads, come with every sync;
other edits, deletions and late replies with the daily walk. Messages of a private channel can be read by its members only.`,
  open: (connection) => new SlackSession(connection),
};

/**
 * How far the reading of a channel has come. Times are Slack's: seconds with six digits, unique in a channel,
 * ordered as text.
 */
interface Position {
  /** Everything up to this time was read; missing in a first read and a walk. */
  readonly since?: string;
  /** The value of `since` after this sync: the latest time that was there when the sync began. */
  readonly upto?: string;
  /** The cursor for the next page of the channel; null after the last page, missing before the first. */
  readonly next?: string | null;
  /** Threads of the pages so far whose replies are still to be read. */
  readonly threads?: readonly string[];
  /** The cursor for the next page of the first thread. */
  readonly nextReplies?: string;
  /** Whether the channel was archived when this sync began. */
  readonly archived?: boolean;
  /** The address of the workspace. */
  readonly team?: string;
}

/** One step of reading: what it found, and the position after it. */
interface Step {
  readonly messages: readonly SlackMessage[];
  readonly deleted?: readonly string[];
  readonly unlisted?: readonly Unlisted[];
  readonly position: Position;
}

interface Messages extends Paged {
  readonly messages?: readonly SlackMessage[];
  /** Of a workspace without a paid plan: there are earlier messages, which are not shown any more. */
  readonly is_limited?: boolean;
}

/**
 * What is synced of a channel: messages since `oldest`, and all replies in the threads that began since then.
 * A first read and a walk show all of it. Every other sync shows what has come since the previous one began:
 * all new messages and, among the newest 500 messages outside of threads, new replies, edits, and deletions
 * that left a mark. It costs one request for the channel, one for these messages, and one for each thread
 * with new replies.
 */
class SlackSession implements Session {
  private readonly api: SlackApi;
  private readonly people: SlackPeople;
  private readonly channels = new Map<string, SlackChannel>();
  private team: string | undefined;

  constructor(connection: Connection<SlackCredentials>) {
    this.api = new SlackApi(connection);
    this.people = new SlackPeople(this.api);
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.askTeam(signal);
  }

  async discover(
    { cursor, limit }: { cursor: string; limit: number },
    signal: AbortSignal,
  ): Promise<DiscoveredPage> {
    return listChannels(this.api, { cursor, limit }, signal);
  }

  async describe(channel: string, signal: AbortSignal): Promise<DiscoveredResource> {
    const found = await this.channel(channel, signal);
    await this.api.call('conversations.history', { channel, limit: 1 }, signal);
    return channelResource(found);
  }

  async read(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    const { page, position } = await this.next(resource, cursor, signal);
    if (page.more) return page;
    const { since, upto, team, archived } = position;
    return { ...page, cursor: JSON.stringify({ since: upto ?? since, team }), isArchived: archived === true };
  }

  async walk(resource: ResourceScope, cursor: string, signal: AbortSignal): Promise<Page> {
    const { page } = await this.next(resource, cursor, signal);
    return page.more ? page : { ...page, cursor: '' };
  }

  async readers({ id }: ResourceScope, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const { is_private, is_im, is_mpim } = await this.channel(id, signal);
    if (!is_private && !is_im && !is_mpim) return undefined;
    const members = await this.people.findAll(await this.members(id, signal), signal);
    const humans = members.filter(({ isBot, isActive }) => !isBot && isActive);
    const emails = humans.flatMap(({ email }) => (email ? [`user_email:${email.toLowerCase()}`] : []));
    if (humans.length > 0 && emails.length === 0)
      throw new ProviderError(
        'refused',
        'the Slack app lacks the scope users:read.email, without which nobody could read a private channel: add it and install the app again',
      );
    return emails;
  }

  async close(): Promise<void> {}

  /** Reads the next page; returns it with the position that is in its cursor. */
  private async next(
    resource: ResourceScope,
    cursor: string,
    signal: AbortSignal,
  ): Promise<{ page: Page; position: Position }> {
    const from = readCursor<Position>(cursor) ?? {};
    const step = from.threads?.length
      ? await this.replies(resource, from, signal)
      : await this.history(resource, from, signal);
    const messages = step.messages.filter((message) => isWanted(message, resource));
    const team = from.team ?? (messages.length > 0 ? await this.askTeam(signal) : undefined);
    const position: Position = { ...step.position, ...(team === undefined ? {} : { team }) };
    const page: Page = {
      entries: messages.map((message) => this.entry(message, resource.id, team ?? '')),
      deleted: (step.deleted ?? []).map((ts) => `${resource.id}:${ts}`),
      unlisted: step.unlisted ?? [],
      cursor: JSON.stringify(position),
      more: position.next !== null || (position.threads ?? []).length > 0,
    };
    return { page, position };
  }

  private async history(
    { id, oldest, filters }: ResourceScope,
    from: Position,
    signal: AbortSignal,
  ): Promise<Step> {
    const { since, next } = from;
    // Asked before the messages: a channel that is archived now will not get more of them.
    const archived = from.archived ?? (await this.channel(id, signal)).is_archived === true;
    const asked = {
      channel: id,
      oldest: (oldest.getTime() / 1000).toFixed(6),
      limit: since === undefined ? pageMax : lookedAtMax,
      ...(next ? { cursor: next } : {}),
    };
    const answer = await this.api.call<Messages>('conversations.history', asked, signal);
    const { messages } = answer;
    if (!messages) throw noListOf('Slack', 'a history without messages');
    const isNew = (time: string | undefined) => time !== undefined && (since === undefined || time > since);
    const isKnown = since !== undefined && messages.some(({ ts }) => ts <= since);
    const threads = messages.filter(
      ({ reply_count = 0, latest_reply }) => reply_count > 0 && (since === undefined || isNew(latest_reply)),
    );
    const upto = from.upto ?? newest(messages, since);
    const isLimited = answer.is_limited === true && nextOf(answer) === null;
    return {
      messages: messages.filter(({ ts, edited }) => isNew(ts) || isNew(edited?.ts)),
      deleted: messages
        .filter(({ subtype }) => since !== undefined && subtype === 'tombstone')
        .map(({ ts }) => ts),
      unlisted: isLimited ? [hiddenBefore(id, messages.at(-1)?.ts)] : [],
      position: {
        ...from,
        archived,
        next: isKnown ? null : nextOf(answer),
        threads: filters['include_replies'] === false ? [] : threads.map(({ ts }) => ts),
        ...(upto === undefined ? {} : { upto }),
      },
    };
  }

  /**
   * Reads replies of several threads. If Slack stops answering, the replies read so far are kept, and are not
   * asked for again.
   */
  private async replies(resource: ResourceScope, from: Position, signal: AbortSignal): Promise<Step> {
    const messages: SlackMessage[] = [];
    let position = from;
    for (let asked = 0; asked < threadsPerPageMax && messages.length < repliesMax; asked++) {
      if (!position.threads?.length) break;
      try {
        const step = await this.thread(resource, position, signal);
        messages.push(...step.messages);
        position = step.position;
      } catch (error) {
        if (asked === 0 || signal.aborted) throw error;
        break;
      }
    }
    return { messages, position };
  }

  /** Reads a page of the first thread of a position. */
  private async thread({ id }: ResourceScope, from: Position, signal: AbortSignal): Promise<Step> {
    const { since, threads: [root = '', ...others] = [], nextReplies, ...rest } = from;
    const asked = {
      channel: id,
      ts: root,
      limit: repliesMax,
      ...(since === undefined ? {} : { oldest: since }),
      ...(nextReplies === undefined ? {} : { cursor: nextReplies }),
    };
    const answer = await this.api.call<Messages>('conversations.replies', asked, signal).catch(withoutThread);
    const next = nextOf(answer);
    // Every page begins with the first message of the thread. Replies that were also sent to the channel are
    // among its messages.
    if (!answer.messages) throw noListOf('Slack', 'a thread without messages');
    const messages = answer.messages.filter(
      ({ ts, subtype }) =>
        ts !== root && subtype !== 'thread_broadcast' && (since === undefined || ts > since),
    );
    const position = {
      ...rest,
      ...(since === undefined ? {} : { since }),
      ...(next === null ? { threads: others } : { threads: [root, ...others], nextReplies: next }),
    };
    return { messages, position };
  }

  private entry(message: SlackMessage, channel: string, team: string): Entry {
    return {
      id: `${channel}:${message.ts}`,
      version: messageVersion(message),
      load: (signal) => itemOf(message, { channel, team }, { people: this.people, signal }),
    };
  }

  private async channel(id: string, signal: AbortSignal): Promise<SlackChannel> {
    signal.throwIfAborted();
    const known = this.channels.get(id);
    if (known) return known;
    const asked = { channel: id, include_num_members: true };
    const answer = await this.api.call<{ channel: SlackChannel }>('conversations.info', asked, signal);
    this.channels.set(id, answer.channel);
    return answer.channel;
  }

  private async members(channel: string, signal: AbortSignal): Promise<string[]> {
    const members: string[] = [];
    for (let cursor = ''; ;) {
      const asked = { channel, limit: membersMax, ...(cursor ? { cursor } : {}) };
      const answer = await this.api.call<Paged & { members?: string[] }>(
        'conversations.members',
        asked,
        signal,
      );
      if (!answer.members) throw noListOf('Slack', 'a channel without members');
      members.push(...answer.members);
      cursor = answer.response_metadata?.next_cursor ?? '';
      if (cursor === '') return members;
    }
  }

  /** The address of the workspace, with a slash at the end. Asked once per session. */
  private async askTeam(signal: AbortSignal): Promise<string> {
    this.team ??= (await this.api.call<{ url?: string }>('auth.test', {}, signal)).url ?? '';
    return this.team;
  }
}

function isWanted(message: SlackMessage, { filters }: ResourceScope): boolean {
  return isSaid(message) && (filters['include_bots'] !== false || !isBot(message));
}

/** What is in a channel from before a time, or at any time. */
function hiddenBefore(channel: string, ts: string | undefined): Unlisted {
  return {
    idPrefix: `${channel}:`,
    ...(ts === undefined ? {} : { idBefore: `${channel}:${ts}` }),
    problem: 'Slack no longer shows old messages of this workspace, for want of a paid plan; they stay',
  };
}

/** The latest time of a message, reply or edit among messages. */
function newest(messages: readonly SlackMessage[], since: string | undefined): string | undefined {
  const times = messages.flatMap(({ ts, latest_reply, edited }) => [ts, latest_reply, edited?.ts]);
  return times.reduce((last = '', time = '') => (time > last ? time : last), since);
}

function nextOf({ has_more, response_metadata }: Paged): string | null {
  const next = response_metadata?.next_cursor;
  // Without it, a walk would take the rest for gone.
  if (has_more === true && !next) throw noListOf('Slack', 'that there is more, but not where');
  return (has_more !== false && next) || null;
}

/** A thread that was deleted since it was listed has no replies. */
function withoutThread(error: unknown): Messages {
  if (error instanceof ProviderError && error.message.includes('thread_not_found')) return { messages: [] };
  throw error;
}
