import { ProviderError } from '../../provider.js';
import type { SlackApi } from './slack-api.js';
import { isForOneTeam, teamsOf } from './slack-teams.js';

/** After this many requests for single people, the whole list is requested. */
const singlyMax = 2;
const listPageMax = 1000;
/** In a workspace with more people than these pages hold, the others are requested one by one. */
const listPagesMax = 10;

/** A person or bot of a workspace. */
interface SlackPerson {
  readonly name: string;
  readonly email: string | undefined;
  readonly isBot: boolean;
  /** False once the account was deactivated; it may still be a member of channels. */
  readonly isActive: boolean;
}

interface SlackUser {
  readonly id: string;
  readonly name?: string;
  readonly real_name?: string;
  readonly is_bot?: boolean;
  readonly deleted?: boolean;
  readonly profile?: { readonly display_name?: string; readonly real_name?: string; readonly email?: string };
}

interface UsersAnswer {
  readonly members?: readonly SlackUser[];
  readonly response_metadata?: { readonly next_cursor?: string };
}

/** Looks up people, each once per session. */
export class SlackPeople {
  private readonly known = new Map<string, Promise<SlackPerson | undefined>>();
  private singly = 0;
  private listed: Promise<void> | undefined;

  constructor(private readonly api: SlackApi) {}

  /** The person with an id; undefined when Slack does not tell of any. */
  async find(id: string, signal: AbortSignal): Promise<SlackPerson | undefined> {
    if (!this.known.has(id) && this.singly >= singlyMax) await this.list(signal);
    const known = this.known.get(id);
    if (known) return known;
    this.singly++;
    const asked = this.ask(id, signal);
    this.known.set(id, asked);
    asked.catch(() => this.known.delete(id));
    return asked;
  }

  /** The people with these ids, without those of whom Slack does not tell. */
  async findAll(ids: readonly string[], signal: AbortSignal): Promise<SlackPerson[]> {
    if (ids.filter((id) => !this.known.has(id)).length > 1) await this.list(signal);
    const found: SlackPerson[] = [];
    for (const id of ids) {
      const person = await this.find(id, signal);
      if (person) found.push(person);
    }
    return found;
  }

  private async ask(user: string, signal: AbortSignal): Promise<SlackPerson | undefined> {
    try {
      const answer = await this.api.call<{ user?: SlackUser }>('users.info', { user }, signal);
      return answer.user && personOf(answer.user);
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'missing') return undefined;
      throw error;
    }
  }

  private list(signal: AbortSignal): Promise<void> {
    this.listed ??= this.listAll(signal).catch((error: unknown) => {
      this.listed = undefined;
      throw error;
    });
    return this.listed;
  }

  private async listAll(signal: AbortSignal): Promise<void> {
    try {
      await this.listTeam({}, signal);
    } catch (error) {
      if (!isForOneTeam(error)) throw error;
      for (const id of await teamsOf(this.api, signal)) await this.listTeam({ team_id: id }, signal);
    }
  }

  private async listTeam(team: { team_id?: string }, signal: AbortSignal): Promise<void> {
    let cursor = '';
    for (let page = 0; page < listPagesMax; page++) {
      const asked = { ...team, limit: listPageMax, ...(cursor ? { cursor } : {}) };
      const { members = [], response_metadata } = await this.api.call<UsersAnswer>(
        'users.list',
        asked,
        signal,
      );
      for (const user of members) this.known.set(user.id, Promise.resolve(personOf(user)));
      cursor = response_metadata?.next_cursor ?? '';
      if (cursor === '') return;
    }
  }
}

/**
 * A person in the form that `actorsOf` reads, so that people are recognised across applications where the
 * address is known.
 */
export function spelled({ name, email }: SlackPerson): string {
  return email ? `${name} <${email}>` : name;
}

function personOf({ id, name, real_name, is_bot = false, deleted = false, profile }: SlackUser): SlackPerson {
  const names = [profile?.display_name, profile?.real_name, real_name, name];
  // Angle brackets and quotation marks would be taken for those around an address.
  const [shown = id] = names.map((each) => (each ?? '').replace(/[<>"\s]+/g, ' ').trim()).filter(Boolean);
  return { name: shown, email: profile?.email, isBot: is_bot, isActive: !deleted };
}
