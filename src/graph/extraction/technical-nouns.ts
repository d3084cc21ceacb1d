import { isRole } from './lexicon.js';
import type { Mention } from './mentions.js';
import type { Sentence } from './reader.js';

const heads = new Set(
  `service api gateway database module library server worker queue pipeline cluster client app application frontend
   backend component package plugin scheduler cache daemon proxy microservice sdk cli dashboard website platform engine
   parser broker connector adapter renderer importer exporter indexer crawler compiler generator loader validator resolver webhook repository registry index`.split(
    /\s+/,
  ),
);
/** These count only behind a hyphen: there are grocery stores too. */
const shortHeads = /^(?:bot|cron|db|job|lambda|store|svc|ui)$/;
const modifiersMax = 3;

/** Parts of systems without capitals: "the billing service". They count only as ends of relations. */
export function findTechnicalNouns({ tokens, text }: Sentence, named: readonly Mention[]): Mention[] {
  return tokens.flatMap((token, head): Mention[] => {
    if (isTechnicalName(token.text)) return [lazyMention(head, head + 1, token.text)];
    if (!heads.has(token.lower) || heads.has(tokens[head + 1]?.lower ?? '') || token.pos === 'VERB')
      return [];
    let start = head;
    while (start > 0 && head - start < modifiersMax && isModifier(tokens[start - 1])) start -= 1;
    const isTaken = named.some((mention) => mention.start <= head && mention.end > start - 1);
    if (start === head || isTaken || !/^(?:the|our|its|their)$/.test(tokens[start - 1]?.lower ?? ''))
      return [];
    const name = text.slice(tokens[start]?.start, token.end);
    if (/\s{2}|\n/.test(name)) return [];
    return [lazyMention(start, head + 1, name)];
  });
}

/** "auth-service" */
function isTechnicalName(text: string): boolean {
  const last = text.slice(text.lastIndexOf('-') + 1);
  return (
    /^[a-z][a-z0-9-]{1,40}$/.test(text) && text.includes('-') && (heads.has(last) || shortHeads.test(last))
  );
}

function lazyMention(start: number, end: number, name: string): Mention {
  return { start, end, name, type: 'PRODUCT', strength: 4, identifier: null, unsure: false, lazy: true };
}

function isModifier(token: Sentence['tokens'][number] | undefined): boolean {
  if (!token || !/^[a-z][a-z-]+$/.test(token.text) || isRole(token.lower)) return false;
  return (
    token.pos === 'NOUN' ||
    (token.pos === 'ADJ' &&
      !/^(?:new|old|same|whole|other|first|second|last|next|only|main|current|entire|own|external|internal|legacy|single|own)$/.test(
        token.lower,
      ))
  );
}
