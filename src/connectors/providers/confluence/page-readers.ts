import { batchesOf } from '../../../lib/batches-of.js';
import { LIMITS } from '../../../limits.js';
import { ProviderError } from '../../provider.js';
import type { AtlassianHttp } from '../atlassian/atlassian-http.js';
import { isPart, listedExpansions, searchPath } from './confluence-content.js';
import type { ConfluenceContent, ConfluencePerson, ReadRestriction } from './confluence-content.js';

const idsPerSearch = 50;
const membersPerPage = 200;
/**
 * A limit for the members of a group that are read, to find people who are named in one place and are group
 * members in another.
 */
const memberPagesMax = 10;

/**
 * The people and groups that a page is restricted to. Groups are mapped to the ids by which their members are
 * requested.
 */
interface Readers {
  readonly emails: ReadonlySet<string>;
  readonly groups: ReadonlyMap<string, string>;
}

/** A page with its readers and the pages above it. */
interface Place {
  /** Undefined when the page is not restricted itself. */
  readonly readers: Readers | undefined;
  readonly ancestors: readonly string[];
}

/** A page whose readers cannot be found out: nobody. */
const hidden: Place = { readers: { emails: new Set(), groups: new Map() }, ancestors: [] };

/**
 * Finds who may read a page: the readers that it names itself, as far as every restricted page above it
 * admits them. Where that cannot be found out, rather too few than too many. Ancestors are requested by their
 * ids: expanding their restrictions fails for a whole page of results as soon as one is a draft or in the
 * trash (CONFCLOUD-77618).
 */
export class PageReaders {
  private readonly places = new Map<string, Place>();
  private readonly members = new Map<string, ReadonlySet<string>>();

  constructor(private readonly http: AtlassianHttp) {}

  /** The readers of each content, in the same order; undefined for one with the readers of the space. */
  async of(contents: readonly ConfluenceContent[], signal: AbortSignal): Promise<(string[] | undefined)[]> {
    for (const content of contents) this.learn(content);
    const ids = contents.map(placeIdOf);
    for (const id of await this.ask(ids, signal)) this.places.set(id, hidden);
    const above = ids.flatMap((id) => this.places.get(id)?.ancestors ?? []);
    for (const id of await this.ask(above, signal)) this.places.set(id, await this.unlisted(id, signal));
    const readers: (string[] | undefined)[] = [];
    for (const id of ids) readers.push(await this.readersAt(id, signal));
    return readers;
  }

  /** Forgets everything, because restrictions may change until the next sync. */
  forget(): void {
    this.places.clear();
    this.members.clear();
  }

  /** What an answer does not tell of a page stays unknown: it does not mean that there is no restriction. */
  private learn(content: ConfluenceContent): void {
    const readers = readersOf(content.restrictions?.read);
    const ancestors = content.ancestors ?? (content.type === 'blogpost' ? [] : undefined);
    if (isPart(content) || readers === 'unknown' || !ancestors) return;
    this.places.set(content.id, { readers, ancestors: ancestors.map(({ id }) => id) });
  }

  /** Requests the pages that are not known yet; returns the ids that the search does not show. */
  private async ask(ids: readonly string[], signal: AbortSignal): Promise<string[]> {
    const unknown = [...new Set(ids)].filter((id) => !this.places.has(id));
    const askable = unknown.filter((id) => /^\w+$/.test(id));
    for (const ids of batchesOf(askable, idsPerSearch)) {
      const cql = `id in (${ids.join(', ')})`;
      const parameters = { cql, limit: idsPerSearch, expand: listedExpansions.join(',') };
      const { results } = await this.http.list<ConfluenceContent>(searchPath, parameters, signal);
      for (const content of results) this.learn(content);
    }
    return unknown.filter((id) => !this.places.has(id));
  }

  /**
   * Requests the restriction of an ancestor that the search does not show: it is new, a draft, or hidden from
   * this account.
   */
  private async unlisted(id: string, signal: AbortSignal): Promise<Place> {
    const path = `/wiki/rest/api/content/${encodeURIComponent(id)}/restriction/byOperation/read`;
    const expand = 'restrictions.user,restrictions.group';
    try {
      const answer = await this.http.get<ReadRestriction>(path, { expand }, signal);
      const readers = readersOf(answer);
      return readers === 'unknown' ? hidden : { readers, ancestors: [] };
    } catch (error) {
      const isHidden =
        error instanceof ProviderError && (error.kind === 'missing' || error.kind === 'refused');
      if (!isHidden) throw error;
      return hidden;
    }
  }

  private async readersAt(id: string, signal: AbortSignal): Promise<string[] | undefined> {
    const place = this.places.get(id);
    const places = [place, ...(place?.ancestors ?? []).map((ancestor) => this.places.get(ancestor))];
    const restricted = places.flatMap((each) => each?.readers ?? []);
    if (restricted.length === 0) return undefined;
    const named = new Set(restricted.flatMap(({ emails }) => [...emails]));
    const groups = [...(restricted[0]?.groups.keys() ?? [])].filter((name) =>
      restricted.every((each) => each.groups.has(name)),
    );
    const emails: string[] = [];
    for (const email of named) if (await this.passes(email, restricted, signal)) emails.push(email);
    const principals = [
      ...groups.map((name) => `group:${name}`),
      ...emails.map((email) => `user_email:${email}`),
    ];
    return principals
      .filter((principal) => principal.length <= LIMITS.aclPrincipalCharactersMax)
      .slice(0, LIMITS.aclPrincipalsMax);
  }

  /** Whether a person may read at every place: named there, or a member of a group that is. */
  private async passes(email: string, restricted: readonly Readers[], signal: AbortSignal): Promise<boolean> {
    for (const { emails, groups } of restricted) {
      let isReader = emails.has(email);
      for (const id of groups.values()) isReader ||= (await this.membersOf(id, signal)).has(email);
      if (!isReader) return false;
    }
    return true;
  }

  private async membersOf(groupId: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const known = this.members.get(groupId);
    if (known) return known;
    const members = new Set<string>();
    const path = `/wiki/rest/api/group/${encodeURIComponent(groupId)}/membersByGroupId`;
    for (let page = 0; page < memberPagesMax; page++) {
      const parameters = { start: page * membersPerPage, limit: membersPerPage };
      const { results } = await this.http.list<ConfluencePerson>(path, parameters, signal);
      for (const { email } of results) if (email) members.add(email.toLowerCase());
      if (results.length < membersPerPage) break;
    }
    this.members.set(groupId, members);
    return members;
  }
}

function placeIdOf(content: ConfluenceContent): string {
  return isPart(content) ? (content.container?.id ?? '') : content.id;
}

function readersOf(restriction: ReadRestriction | undefined): Readers | 'unknown' | undefined {
  const users = restriction?.restrictions?.user?.results;
  const groups = restriction?.restrictions?.group?.results;
  if (!users || !groups) return 'unknown';
  if (users.length === 0 && groups.length === 0) return undefined;
  return {
    emails: new Set(users.flatMap(({ email }) => email?.toLowerCase() || [])),
    groups: new Map(groups.flatMap(({ name, id }) => (name ? [[name, id ?? name] as const] : []))),
  };
}
