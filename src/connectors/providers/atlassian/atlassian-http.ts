import { z } from 'zod';
import { withoutNulls } from '../../../lib/without-nulls.js';
import { ProviderError } from '../../provider.js';
import type { Connection } from '../../provider.js';
import { failureOf, noAnswerOf, noListOf } from '../../provider-http.js';
import { personOf } from '../item-fields.js';

const noSite = 'must be an address such as https://example.atlassian.net';

export const atlassianCredentials = z.strictObject({
  site_url: z
    .string()
    .trim()
    .regex(/^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/i, noSite)
    .refine((text) => URL.canParse(text), noSite)
    .describe('Address of the Atlassian site: https://example.atlassian.net'),
  email: z.string().trim().min(1).describe('E-mail address of the account that the token belongs to'),
  api_token: z.string().trim().min(1).describe('API token of that account'),
});
export type AtlassianCredentials = z.infer<typeof atlassianCredentials>;

export type Parameters = Readonly<Record<string, string | number | undefined>>;

interface Asked {
  readonly path: string;
  readonly parameters?: Parameters;
}
type Init = RequestInit & { readonly signal: AbortSignal };

/** A page of a list of Confluence. */
export interface Listed<Result> {
  readonly results: readonly Result[];
  readonly _links?: { readonly next?: string };
}

/** Where Atlassian takes tokens with scopes, which the sites themselves reject. */
const gatewayUrl = 'https://api.atlassian.com';
const cloudHost = /\.atlassian\.net$/i;
const cloudIdForm = /^[\da-f-]{36}$/i;

/** In a header. A rejected token does not always give 401; the request may be served as an anonymous one. */
const anonymous = /AUTHENTICATED_FAILED|AUTHENTICATION_DENIED/;

/**
 * The REST APIs of an Atlassian site, called without jira.js and confluence.js: neither accepts a signal for
 * a request, they bring fifty packages (express 4 and lodash among them) of over 50 MB, and loading them
 * takes half a second and 70 MB, for five endpoints each.
 */
export class AtlassianHttp {
  /** The address of the site, without a slash at the end. */
  readonly site: string;
  /** What addresses begin with: those of the site, or of Atlassian's gateway once that has taken the token. */
  private origin: string;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly provider: string,
    private readonly connection: Connection<AtlassianCredentials>,
  ) {
    const { site_url: siteUrl, email, api_token: token } = connection.credentials;
    // People copy the address of the page that they are looking at.
    this.site = siteUrl.replace(/\/(?:wiki|jira|browse|secure|issues)(?:\/.*)?$/i, '').replace(/\/+$/, '');
    this.origin = connection.baseUrl ?? this.site;
    this.headers = {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`,
    };
  }

  /**
   * The JSON of an answer, any field of which may be missing. @throws ProviderError; the signal's reason when
   * it is aborted
   */
  async get<Answer>(path: string, parameters: Parameters, signal: AbortSignal): Promise<Answer> {
    return (await this.json({ path, parameters }, { signal })) as Answer;
  }

  /** The same of a list. */
  async list<Result>(path: string, parameters: Parameters, signal: AbortSignal): Promise<Listed<Result>> {
    const answer = await this.get<Partial<Listed<Result>>>(path, parameters, signal);
    const { results } = answer;
    if (results) return { ...answer, results };
    throw noListOf(this.provider, 'a list without results');
  }

  async post<Answer>(path: string, body: unknown, signal: AbortSignal): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
    return (await this.json({ path }, init)) as Answer;
  }

  /** The bytes of a file, at most `bytesMax`; redirects of the site are followed. @throws ProviderError */
  async bytes(path: string, bytesMax: number, signal: AbortSignal): Promise<Buffer> {
    const response = await this.send({ path }, { signal, headers: { accept: '*/*' }, redirect: 'follow' });
    return this.answered(signal, async () => {
      const parts: Uint8Array[] = [];
      let size = 0;
      for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
        size += part.length;
        if (size > bytesMax) throw new ProviderError('refused', `a file of ${this.provider} is too large`);
        parts.push(part);
      }
      return Buffer.concat(parts);
    });
  }

  private async json(asked: Asked, init: Init): Promise<unknown> {
    const response = await this.send(asked, init);
    const text = await this.answered(init.signal, () => response.text());
    try {
      return withoutNulls(JSON.parse(text));
    } catch {
      throw new ProviderError('unavailable', `${this.provider} answered something that is not JSON`);
    }
  }

  /** Sends a request; one that the site rejects goes to the gateway, where tokens with scopes are taken. */
  private async send(asked: Asked, init: Init): Promise<Response> {
    const tried = this.origin;
    try {
      return await this.sendTo(tried, asked, init);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.httpStatus !== 401) throw error;
      const gateway = await this.gateway(init.signal);
      if (gateway === undefined || gateway === tried) throw error;
      const response = await this.sendTo(gateway, asked, init);
      this.origin = gateway;
      return response;
    }
  }

  /** The site's address at the gateway, by the id that the site tells everybody; undefined for other servers. */
  private async gateway(signal: AbortSignal): Promise<string | undefined> {
    const { origin, hostname } = new URL(this.site);
    if (!cloudHost.test(hostname)) return undefined;
    const { baseUrl, network } = this.connection;
    const told = await this.answered(signal, async () => {
      const url = `${baseUrl ?? origin}/_edge/tenant_info`;
      return (await network.fetch(url, { redirect: 'manual', signal })).text();
    });
    const id = /"cloudId"\s*:\s*"([^"]*)"/.exec(told)?.[1] ?? '';
    if (!cloudIdForm.test(id)) return undefined;
    return `${baseUrl ?? gatewayUrl}/ex/${this.provider.toLowerCase()}/${id}`;
  }

  private async sendTo(origin: string, { path, parameters = {} }: Asked, init: Init): Promise<Response> {
    const { signal } = init;
    signal.throwIfAborted();
    const url = new URL(`${origin}${path}`);
    for (const [key, value] of Object.entries(parameters))
      if (value !== undefined) url.searchParams.set(key, String(value));
    const headers = { ...this.headers, ...(init.headers as Record<string, string> | undefined) };
    const response = await this.answered(signal, () =>
      // A redirect of a search would lose its body, and the token must only be sent to the address that was
      // entered, or to Atlassian itself.
      this.connection.network.fetch(url, { redirect: 'manual', ...init, headers }),
    );
    const isAnonymous = anonymous.test(response.headers.get('x-seraph-loginreason') ?? '');
    if (response.ok && !isAnonymous) return response;
    const reason = reasonOf(await this.answered(signal, () => response.text()));
    throw this.failure(isAnonymous ? 401 : response.status, response.headers, reason);
  }

  private failure(status: number, headers: Headers, reason: string): ProviderError {
    if (status >= 300 && status < 400)
      // As sites do while they are being maintained, too.
      return new ProviderError('unavailable', `the site of ${this.provider} sends elsewhere`, {
        httpStatus: status,
      });
    const retryAfter = headers.get('retry-after') ?? headers.get('x-ratelimit-reset');
    return failureOf(this.provider, { status, retryAfter, reason });
  }

  private async answered<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderError) throw error;
      throw noAnswerOf(this.provider, error);
    }
  }
}

/** The reason in an error answer of Jira or Confluence, in any of their forms; empty for an HTML page. */
function reasonOf(text: string): string {
  try {
    const said = JSON.parse(text) as {
      errorMessages?: string[];
      errors?: unknown;
      message?: string;
    };
    if (said.errorMessages?.length) return said.errorMessages.join(' ');
    if (typeof said.message === 'string') return said.message;
    if (Array.isArray(said.errors))
      return said.errors
        .map((each: { title?: string }) => each.title ?? '')
        .join(' ')
        .trim();
    return Object.values(said.errors ?? {}).join(' ');
  } catch {
    return '';
  }
}

/**
 * The error for a new address where nothing is found, or that sends elsewhere: it is not that of an Atlassian site, or the site
 * lacks the product.
 */
export function asWrongSite(provider: string, error: unknown): unknown {
  const { httpStatus = 0 } = error instanceof ProviderError ? error : {};
  if (httpStatus === 404)
    return new ProviderError('credentials', `there is no ${provider} at site_url`, { cause: error });
  if (httpStatus < 300 || httpStatus >= 400) return error;
  const problem = `site_url is not the address of ${provider}: it sends elsewhere`;
  return new ProviderError('credentials', problem, { cause: error });
}

/** Tells apart the reasons for which a list is refused with 400: its position, if it is continued, or its query. */
export function asListFailure(provider: string, error: unknown, isContinued: boolean): unknown {
  if (!(error instanceof ProviderError) || error.httpStatus !== 400) return error;
  const problem = isContinued ? `${provider} no longer takes the position in its list` : error.message;
  const options = { httpStatus: 400, cause: error };
  return new ProviderError(isContinued ? 'expired' : 'refused', problem, options);
}

/** A text as JQL and CQL write it. */
export function inQuery(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** A person; the address is there if it is visible. */
export function atlassianPerson(
  person:
    { readonly displayName?: string; readonly emailAddress?: string; readonly email?: string } | undefined,
): string | undefined {
  return personOf(person?.displayName, person?.emailAddress ?? person?.email);
}

/** A time as ISO-8601 in UTC; undefined when it is no time. */
export function timeOf(text: string | undefined): string | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
