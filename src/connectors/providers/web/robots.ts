import type { GuardedNetwork } from '../../../lib/guarded-network.js';
import { ProviderError } from '../../provider.js';
import { failureOfDocument, requestDocument, userAgent } from './document-request.js';

/** What is beyond does not count, as RFC 9309 has it. */
const robotsBytesMax = 1024 * 1024;
const crawlDelaySecondsMax = 60;
/**
 * Of all rules with a `*`, which are compared with every part of an address: a megabyte of them held the server up for
 * seconds at each address.
 */
const wildcardCharactersMax = 20_000;

/** The package's own types are wrong: they are those of an ES module. */
type ParseRobots = (
  url: string,
  text: string,
) => {
  isAllowed(url: string, robot: string): boolean | undefined;
  getCrawlDelay(robot: string): number | undefined;
  getSitemaps(): string[];
};

/** The rules of a site for robots. */
export interface Robots {
  readonly delaySeconds: number;
  readonly sitemaps: readonly string[];
  allows(url: string): boolean;
}

/**
 * Reads a site's robots.txt by RFC 9309: without rules everything is allowed, and nothing while the rules
 * cannot be loaded. @throws ProviderError unavailable, limited, refused (by our own guard, or with too many rules)
 */
export async function readRobots(
  network: GuardedNetwork,
  origin: string,
  signal: AbortSignal,
): Promise<Robots> {
  const url = `${origin}/robots.txt`;
  const request = { url, redirect: 'follow', bytesMax: robotsBytesMax, isCut: true } as const;
  const { status, body, headers } = await requestDocument(network, request, signal);
  if (status === 429 || status >= 500)
    throw failureOfDocument(new URL(origin).host, { status, retryAfter: headers.get('retry-after') });
  const robotsParser = (await import('robots-parser')).default as unknown as ParseRobots;
  const text = body?.toString() ?? '';
  if (wildcardCharacters(text) > wildcardCharactersMax)
    throw new ProviderError('refused', `robots.txt of ${origin} has more rules with * than can be obeyed`);
  const rules = robotsParser(url, text);
  const delay = rules.getCrawlDelay(userAgent) ?? 0;
  return {
    delaySeconds: Math.min(Math.max(delay, 0), crawlDelaySecondsMax),
    sitemaps: rules
      .getSitemaps()
      .filter((each) => URL.canParse(each, url))
      .map((each) => new URL(each, url).href),
    allows: (page) => rules.isAllowed(page, userAgent) !== false,
  };
}

function wildcardCharacters(text: string): number {
  const rules = text
    .split(/[\r\n]+/)
    .filter((line) => line.includes('*') && /^\s*(?:dis)?allow\b/i.test(line));
  return rules.reduce((sum, { length }) => sum + length, 0);
}

/** The directives of `X-Robots-Tag` headers and robots meta elements for a page. */
export interface RobotsTag {
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

/** Reads directives for all robots and for ours, such as `noindex, nofollow` and `contexture: none`. */
export function readRobotsTag(directives: readonly string[]): RobotsTag {
  let ours = true;
  const words = new Set<string>();
  for (const part of directives.flatMap((line) => ['*:', ...line.split(',')])) {
    const [, robot, word = ''] = /^\s*(?:([\w*-]+)\s*:)?\s*([\w-]*)/.exec(part.toLowerCase()) ?? [];
    // `unavailable_after: …` and `max-snippet: …` are directives, not names of robots.
    if (robot && !/^(?:unavailable_after|max-.*)$/.test(robot))
      ours = robot === '*' || robot === userAgent.toLowerCase();
    if (ours) words.add(word);
  }
  const none = words.has('none');
  return { noindex: none || words.has('noindex'), nofollow: none || words.has('nofollow') };
}
