import { JsonFake } from './json-fake.js';
import type { FakeAnswer, FakeRequest } from './json-fake.js';
import type { FakeFailure, ProviderFake } from './provider-fake.js';

const token = 'xoxb-good-token';
const teamUrl = 'https://acme.slack.com/';
const startedDaysAgo = 20;

interface FakeMessage {
  ts: string;
  type: 'message';
  text: string;
  [key: string]: unknown;
}

interface FakeChannel {
  readonly id: string;
  readonly name: string;
  is_private: boolean;
  is_archived: boolean;
  is_member: boolean;
  readonly members: string[];
  /** Outside of threads, oldest first. */
  readonly messages: FakeMessage[];
  /** Replies, oldest first, by the time of the message that they answer. */
  readonly replies: Map<string, FakeMessage[]>;
  /** Earlier messages are not shown, as in a workspace without a paid plan. */
  shownFrom?: string;
}

type Arguments = URLSearchParams;
type Answered = Record<string, unknown>;

/** A workspace as Slack's Web API shows it: always 200 but for rate limits, newest first, threads apart from their channel. */
export class SlackFake implements ProviderFake {
  readonly credentials = { access_token: token };
  readonly wrongCredentials = { access_token: 'xoxb-revoked' };
  readonly resource = { id: 'C0GENERAL', type: 'channel' };
  readonly missingResourceId = 'C0NOTHERE';
  readonly users = new Map<string, Answered>();
  /** Methods that the app lacks a scope for, with the scope. */
  readonly missingScopes = new Map<string, string>();
  /** The workspaces of an organization, if the app is installed in one. */
  teams: readonly string[] = [];
  /** What methods answer instead, beside `ok`. */
  readonly oddAnswers = new Map<string, Answered>();
  readonly channels = new Map<string, FakeChannel>();
  readonly general: FakeChannel;
  private readonly limited = new Map<string, { after: number; times: number }>();
  private seconds = Math.floor(Date.now() / 1000) - startedDaysAgo * 86_400;
  private readonly http: JsonFake;

  constructor() {
    this.http = new JsonFake((request) => this.answer(request), failed);
    this.general = this.addChannel('C0GENERAL', 'general');
    this.addChannel('C0RANDOM', 'random');
    this.addUser('U0ALICE', 'Alice', 'alice@acme.test');
    this.addUser('U0BOB', 'Bob', 'bob@acme.test');
  }

  async listen(): Promise<this> {
    await this.http.listen();
    return this;
  }

  get baseUrl(): string {
    return `${this.http.url}/api`;
  }

  get requests(): number {
    return this.http.asked.length;
  }

  /** Methods that were called, in their order. */
  get methods(): string[] {
    return this.http.asked.map((path) => path.replace('/api/', ''));
  }

  readonly fail = (failure: FakeFailure, times: number): void => this.http.fail(failure, times);

  /** So many calls of a method are too many, after so many that are not. */
  limit(method: string, times: number, after = 0): void {
    this.limited.set(method, { after, times });
  }

  addUser(id: string, name: string, email: string | undefined, more: Answered = {}): void {
    const profile = { display_name: name, real_name: `${name} Example`, ...(email ? { email } : {}) };
    this.users.set(id, {
      id,
      name: name.toLowerCase(),
      real_name: `${name} Example`,
      is_bot: false,
      deleted: false,
      profile,
      ...more,
    });
  }

  addChannel(id: string, name: string): FakeChannel {
    const channel: FakeChannel = {
      id,
      name,
      is_private: false,
      is_archived: false,
      is_member: true,
      members: ['U0ALICE', 'U0BOB'],
      messages: [],
      replies: new Map(),
    };
    this.channels.set(id, channel);
    return channel;
  }

  /** Adds a message, later than all before; `more` are fields of it. @returns its time */
  post(text: string, more: Answered = {}, channel = this.general): string {
    const message = this.message(text, more);
    channel.messages.push(message);
    return message.ts;
  }

  /** Answers a message, in its thread. @returns the time of the answer */
  reply(root: string, text: string, more: Answered = {}, channel = this.general): string {
    const parent = channel.messages.find(({ ts }) => ts === root);
    if (!parent) throw new Error(`no message ${root}`);
    const message = this.message(text, { thread_ts: root, parent_user_id: parent['user'], ...more });
    const replies = channel.replies.get(root) ?? [];
    channel.replies.set(root, [...replies, message]);
    if (message['subtype'] === 'thread_broadcast') channel.messages.push(message);
    return message.ts;
  }

  /** So many threads, a message and so many replies each. */
  addThreads(count: number, repliesEach: number): void {
    for (let thread = 0; thread < count; thread++) {
      const root = this.post(`Question ${thread}`);
      const replies = [];
      for (let reply = 0; reply < repliesEach; reply++)
        replies.push(this.message(`Answer ${reply} of ${thread}`, { thread_ts: root, user: 'U0BOB' }));
      this.general.replies.set(root, replies);
    }
  }

  async add(count: number, word: string): Promise<string[]> {
    const ids: string[] = [];
    let root = '';
    for (let index = 0; index < count; index++) {
      // The last three of twenty answer the one before them.
      const isAnswer = index % 20 >= 17;
      const ts = isAnswer
        ? this.reply(root, `Answer ${word} ${index}`)
        : this.post(`Message ${word} ${index}`);
      if (!isAnswer) root = ts;
      ids.push(`C0GENERAL:${ts}`);
    }
    return ids;
  }

  async edit(id: string, word: string): Promise<void> {
    const message = this.find(id);
    message.text = `Edited ${word}`;
    message['edited'] = { user: message['user'], ts: this.nextTime() };
  }

  /** As Slack does: what has replies leaves a tombstone. */
  async remove(id: string): Promise<void> {
    const message = this.find(id);
    const { messages, replies } = this.general;
    if ((replies.get(message.ts) ?? []).length > 0) {
      Object.assign(message, {
        text: 'This message was deleted.',
        subtype: 'tombstone',
        user: 'USLACKBOT',
        hidden: true,
      });
      return;
    }
    for (const list of [messages, ...replies.values()])
      if (list.includes(message)) list.splice(list.indexOf(message), 1);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private find(id: string): FakeMessage {
    const all = [...this.general.messages, ...[...this.general.replies.values()].flat()];
    const found = all.find(({ ts }) => id === `C0GENERAL:${ts}`);
    if (!found) throw new Error(`no message ${id}`);
    return found;
  }

  private message(text: string, more: Answered): FakeMessage {
    return { type: 'message', user: 'U0ALICE', text, ts: this.nextTime(), team: 'T0ACME', ...more };
  }

  private nextTime(): string {
    this.seconds++;
    return `${this.seconds}.${String((this.seconds * 7) % 1_000_000).padStart(6, '0')}`;
  }

  private answer({ path, form, headers }: FakeRequest): FakeAnswer {
    const method = path.replace('/api/', '');
    const limited = this.limited.get(method);
    if (limited && limited.after-- <= 0 && limited.times-- > 0)
      return failed({ status: 429, retryAfterSeconds: 11 });
    if (headers.authorization === undefined) return refusal('not_authed');
    if (headers.authorization !== `Bearer ${token}`) return refusal('invalid_auth');
    const needed = this.missingScopes.get(method);
    if (needed) return refusal('missing_scope', { needed, provided: 'channels:read' });
    const isOfTeam = method === 'users.list' || method === 'conversations.list';
    if (this.teams.length > 0 && isOfTeam && !form.has('team_id')) return refusal('missing_argument');
    const answer = this.oddAnswers.get(method) ?? this.call(method, form);
    return typeof answer === 'string' ? refusal(answer) : { body: { ok: true, ...answer } };
  }

  /** What a method answers; a text is an error. */
  private call(method: string, given: Arguments): Answered | string {
    switch (method) {
      case 'auth.test':
        return {
          url: teamUrl,
          team: 'Acme',
          user: 'contexture',
          team_id: 'T0ACME',
          user_id: 'U0APP',
          bot_id: 'B0APP',
        };
      case 'auth.teams.list':
        return paged(
          this.teams.map((id) => ({ id, name: id })),
          given,
          'teams',
        );
      case 'users.list':
        return paged([...this.users.values()], given, 'members');
      case 'users.info': {
        const user = this.users.get(given.get('user') ?? '');
        return user ? { user } : 'user_not_found';
      }
      case 'conversations.list': {
        const types = (given.get('types') ?? 'public_channel').split(',');
        // The first channel is in the first workspace, all others are in the second.
        const team = given.get('team_id');
        const all = [...this.channels.values()].filter(
          ({ is_private, id }) =>
            types.includes(is_private ? 'private_channel' : 'public_channel') &&
            (team === null || (team === this.teams[0]) === (id === this.general.id)),
        );
        return paged(all.map(shownChannel), given, 'channels');
      }
      default:
        return this.callChannel(method, given);
    }
  }

  private callChannel(method: string, given: Arguments): Answered | string {
    const channel = this.channels.get(given.get('channel') ?? '');
    if (!channel || (channel.is_private && !channel.is_member)) return 'channel_not_found';
    if (method === 'conversations.info') return { channel: shownChannel(channel) };
    if (method === 'conversations.members') return paged(channel.members, given, 'members');
    if (!channel.is_member) return 'not_in_channel';
    if (method === 'conversations.history') return history(channel, given);
    return method === 'conversations.replies' ? replies(channel, given) : 'unknown_method';
  }
}

export async function startSlackFake(): Promise<SlackFake> {
  return new SlackFake().listen();
}

function history(channel: FakeChannel, given: Arguments): Answered | string {
  const limit = Number(given.get('limit') ?? 100);
  if (!(limit >= 1 && limit <= 999)) return 'invalid_limit';
  const from = timeOf(given.get('cursor'));
  if (from === undefined) return 'invalid_cursor';
  const within = channel.messages
    .filter(({ ts }) => isWithin(ts, given) && (from === '' || ts <= from) && ts >= (channel.shownFrom ?? ''))
    .reverse();
  const messages = within.slice(0, limit).map((message) => withThread(channel, message));
  const next = within[limit]?.ts;
  const isLimited = channel.messages.some(({ ts }) => ts < (channel.shownFrom ?? ''));
  return { messages, ...more(next), ...(isLimited ? { is_limited: true } : {}), pin_count: 0 };
}

/** The earliest first, with the message that began the thread on every page. */
function replies(channel: FakeChannel, given: Arguments): Answered | string {
  const limit = Number(given.get('limit') ?? 1000);
  if (!(limit >= 1 && limit <= 1000)) return 'invalid_limit';
  const root = channel.messages.find(({ ts }) => ts === given.get('ts'));
  if (!root || root.ts < (channel.shownFrom ?? '')) return 'thread_not_found';
  const from = timeOf(given.get('cursor'));
  if (from === undefined) return 'invalid_cursor';
  const within = (channel.replies.get(root.ts) ?? []).filter(({ ts }) => isWithin(ts, given) && ts >= from);
  const next = within[limit - 1]?.ts;
  return { messages: [withThread(channel, root), ...within.slice(0, limit - 1)], ...more(next) };
}

function isWithin(ts: string, given: Arguments): boolean {
  const [oldest, latest] = [Number(given.get('oldest') ?? 0), Number(given.get('latest') ?? Infinity)];
  const time = Number(ts);
  return given.get('inclusive') === 'true'
    ? time >= oldest && time <= latest
    : time > oldest && time < latest;
}

function withThread({ replies: all }: FakeChannel, message: FakeMessage): Answered {
  const answers = all.get(message.ts) ?? [];
  if (answers.length === 0) return message;
  const users = [...new Set(answers.map(({ user }) => user))];
  return {
    ...message,
    thread_ts: message.ts,
    reply_count: answers.length,
    reply_users_count: users.length,
    reply_users: users,
    latest_reply: answers.at(-1)?.ts,
    is_locked: false,
    subscribed: false,
  };
}

function shownChannel({
  messages: _messages,
  replies: _replies,
  members,
  ...channel
}: FakeChannel): Answered {
  const said = { value: '', creator: '', last_set: 0 };
  return {
    ...channel,
    is_channel: true,
    num_members: members.length,
    topic: said,
    purpose: { ...said, value: 'Talk' },
  };
}

/** Pages of things that have no time: the cursor is where the next one begins. */
function paged(all: readonly unknown[], given: Arguments, key: string): Answered | string {
  const from = Number(
    Buffer.from(given.get('cursor') ?? '', 'base64')
      .toString()
      .replace('offset:', '') || 0,
  );
  const limit = Math.min(Number(given.get('limit') ?? 100), 1000);
  if (Number.isNaN(from)) return 'invalid_cursor';
  const next = from + limit < all.length ? Buffer.from(`offset:${from + limit}`).toString('base64') : '';
  return { [key]: all.slice(from, from + limit), response_metadata: { next_cursor: next } };
}

function more(next: string | undefined): Answered {
  if (next === undefined) return { has_more: false };
  const cursor = Buffer.from(`next_ts:${next.replace('.', '')}`).toString('base64');
  return { has_more: true, response_metadata: { next_cursor: cursor } };
}

/** The time in a cursor; empty without one, undefined when it is none of ours. */
function timeOf(cursor: string | null): string | undefined {
  if (!cursor) return '';
  const [, seconds, micros] =
    /^next_ts:(\d{10})(\d{6})$/.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  return seconds && `${seconds}.${micros}`;
}

function refusal(error: string, more: Answered = {}): FakeAnswer {
  return { body: { ok: false, error, ...more } };
}

/** Slack says 429 and 5xx as HTTP does, and everything else in a body. */
function failed({ status, retryAfterSeconds }: FakeFailure): FakeAnswer {
  if (status === 401) return refusal('invalid_auth');
  if (status !== 429) return { status, body: '<html>Service Unavailable</html>' };
  const headers = { 'retry-after': String(retryAfterSeconds ?? 30) };
  return { status, headers, body: { ok: false, error: 'ratelimited' } };
}
