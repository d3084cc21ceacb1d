import type { Item } from '../../provider.js';
import { mentionedUsers, toMarkdown } from './mrkdwn.js';
import { isBot, messageFiles, messageSource } from './slack-message.js';
import type { SlackMessage } from './slack-message.js';
import { spelled } from './slack-people.js';
import type { SlackPeople } from './slack-people.js';

/** The place of a message; `team` is the address of the workspace. */
interface Place {
  readonly channel: string;
  readonly team: string;
}

interface Asking {
  readonly people: SlackPeople;
  readonly signal: AbortSignal;
}

/**
 * A message as an item; undefined when it has no content. A message outside of threads counts as one that
 * nobody has answered yet.
 */
export async function itemOf(
  message: SlackMessage,
  { channel, team }: Place,
  asking: Asking,
): Promise<Item | undefined> {
  const { ts, thread_ts, user } = message;
  const source = messageSource(message);
  const attachments = messageFiles(message);
  if (source === '' && attachments.length === 0) return undefined;
  const { names, mentions } = await mentioned(source, asking);
  const author = await authorOf(message, asking);
  const isReply = thread_ts !== undefined && thread_ts !== ts;
  const createdAt = new Date(Number(ts) * 1000).toISOString();
  const url = permalink({ channel, team }, message);
  return {
    kind: 'message',
    url,
    timestamp: createdAt,
    fields: {
      ...(source === '' ? {} : { body: toMarkdown(source, (id) => names.get(id) ?? id) }),
      ...(author === undefined ? {} : { author }),
      thread_id: `${channel}:${thread_ts ?? ts}`,
      ...(isReply ? { parent_id: `${channel}:${thread_ts}` } : {}),
      ...(mentions.length > 0 ? { mentions } : {}),
      created_at: createdAt,
      url,
    },
    attachments,
    native: {
      channel_id: channel,
      ts,
      ...(thread_ts === undefined ? {} : { thread_ts }),
      ...(user === undefined ? {} : { user_id: user }),
    },
  };
}

/** The people mentioned in a text: their names by id, and their form in item fields. */
async function mentioned(
  source: string,
  { people, signal }: Asking,
): Promise<{ names: Map<string, string>; mentions: string[] }> {
  const names = new Map<string, string>();
  const mentions: string[] = [];
  for (const id of mentionedUsers(source)) {
    const person = await people.find(id, signal);
    names.set(id, person?.name ?? id);
    mentions.push(person ? spelled(person) : id);
  }
  return { names, mentions };
}

/** The author of a message; for a bot the name under which it posted. */
async function authorOf(message: SlackMessage, { people, signal }: Asking): Promise<string | undefined> {
  const { user, username, bot_profile, bot_id } = message;
  const shown = username || (isBot(message) ? bot_profile?.name : undefined);
  if (shown) return shown;
  if (user === undefined) return bot_id;
  const person = await people.find(user, signal);
  return person ? spelled(person) : user;
}

/** The permanent link of a message, built as Slack does, so that no request is needed. */
function permalink({ channel, team }: Place, { ts, thread_ts }: SlackMessage): string {
  const thread = thread_ts === undefined || thread_ts === ts ? '' : `?thread_ts=${thread_ts}&cid=${channel}`;
  return `${team}archives/${channel}/p${ts.replace('.', '')}${thread}`;
}
