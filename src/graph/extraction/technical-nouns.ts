import { isRole } from './lexicon.js';
import type { Mention } from './mentions.js';
import { isEnglishWord } from './reader.js';
import type { Sentence } from './reader.js';

const heads = new Set(
  `service api gateway database module library server worker queue pipeline cluster client app application frontend
   backend component package plugin scheduler cache daemon proxy microservice sdk cli dashboard website platform engine
   parser broker connector adapter renderer importer exporter indexer crawler compiler generator loader validator resolver webhook repository registry index`.split(
    /\s+/,
  ),
);
/** These count only in a compound: there are grocery stores too. */
const compoundHeads = new Set(
  `aggregator api balancer bot bucket buffer builder bus collector consumer controller cron db handler host job kafka lambda mirror monitor
   node notifier orchestrator postgres processor producer redis replica router server standby store stream svc sync topic ui vault web`.split(
    /\s+/,
  ),
);
/** What tells one of several systems of a name from the others. */
const copy = /^(?:[a-z]|v?\d+|blue|dev|green|main|primary|prod|replica|secondary|staging|standby|test)$/;
const modifiersMax = 3;
/** Languages that programs are written in. Many of their names are words, or too short for a name. */
const programmingLanguages = new Set(
  `ada assembly bash c c# c++ clojure cobol crystal d dart elixir elm erlang f# fortran go golang groovy haskell java javascript
   julia kotlin lisp lua matlab nim node.js objective-c ocaml pascal perl php prolog python r racket ruby rust scala scheme sql
   swift typescript zig`.split(/\s+/),
);
/** What is done to programs in a language. */
const programming = /^(?:(?:re)?written|(?:re)?implemented|(?:re)?coded|programmed)$/;

const head = new RegExp(`\\b(?:${[...heads].join('|')})\\b`, 'i');

/** Whether a text without hyphens may speak of a system: "the billing service". */
export const mayNameSystem = (text: string): boolean => head.test(text);

/** Parts of systems without capitals: "the billing service". They count only as ends of relations. */
export function findTechnicalNouns({ tokens, text }: Sentence, named: readonly Mention[]): Mention[] {
  return tokens.flatMap((token, head): Mention[] => {
    const language = languageAt({ tokens, text }, head);
    if (
      language &&
      !named.some((mention) => !mention.unsure && mention.start < language.end && mention.end > head)
    )
      return [language];
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

/** Whether a name is that of a programming language. */
export function isProgrammingLanguage(name: string): boolean {
  return programmingLanguages.has(name.toLowerCase());
}

/** "written in Go", "in C++ and Rust" */
function languageAt({ tokens, text }: Pick<Sentence, 'tokens' | 'text'>, at: number): Mention | undefined {
  const token = tokens[at];
  if (!token || !/^\p{Lu}/u.test(token.text)) return undefined;
  // "C++" and "C#" are several tokens.
  const [name] = /^[\p{L}-]+(?:\+\+|#|\.js\b)?/u.exec(text.slice(token.start)) ?? [''];
  if (!isProgrammingLanguage(name)) return undefined;
  const isFirst = tokens[at - 1]?.lower === 'in' && programming.test(tokens[at - 2]?.lower ?? '');
  const before = /^(?:and|,)$/.test(tokens[at - 1]?.lower ?? '')
    ? languageAt({ tokens, text }, at - 2)
    : undefined;
  if (!isFirst && !before) return undefined;
  let end = at + 1;
  while ((tokens[end]?.start ?? Infinity) < token.start + name.length) end += 1;
  return lazyMention(at, end, name);
}

/** "auth-service", "payments-db-replica", "stream-enricher" */
function isTechnicalName(text: string): boolean {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+){1,5}$/.test(text)) return false;
  const parts = text.split('-');
  const last = parts.at(-1) ?? '';
  // What an engineer calls after what it does is in no dictionary.
  const isCoined = /^[a-z]{4,}[eo]r$/.test(last) && !isEnglishWord(last);
  const isHead = (part = '') => heads.has(part) || compoundHeads.has(part);
  // "web-2", but not "web-based"
  return isCoined || isHead(last) || (copy.test(last) && isHead(parts.at(-2)));
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
