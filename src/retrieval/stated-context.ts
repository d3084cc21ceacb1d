import { sourcesNamespace } from '../graph/entity-key.js';
import { LIMITS } from '../limits.js';
import { inOneLine } from '../text/one-line.js';

interface End {
  readonly name: string;
  readonly namespace?: string | null;
}

/** A relation with its ends, as it is shown. */
interface Statement {
  readonly source: End;
  readonly relation: {
    readonly canonicalPredicate: string;
    readonly context: string;
    readonly temporalDetails: string | null;
  };
  readonly target: End;
}

/** Titles that are made of a text are as long as that: cut in a word, perhaps. */
const titleCharacters = 80;

/** One short text of relations, ready for a prompt: what they say, then in which words it was said. */
export function contextOf(statements: readonly Statement[]): string {
  const said = statements.map(({ source, relation, target }) => {
    const when = relation.temporalDetails ? ` (${relation.temporalDetails})` : '';
    return `${shown(source)} ${verbOf(source, relation.canonicalPredicate)} ${shown(target)}${when}.`;
  });
  const contexts = statements.map(({ relation }) =>
    withStop(clip(inOneLine(relation.context), LIMITS.pathContextCharactersMax)),
  );
  // "Anna lives in Oslo" may be all that the text says.
  const once = new Map<string, string>();
  for (const text of [...said, ...contexts]) if (!once.has(bareOf(text))) once.set(bareOf(text), text);
  return [...once.values()].filter((text) => text !== '').join(' ');
}

const isItem = ({ namespace }: End) => namespace === sourcesNamespace;

/** Items by their titles, which may be whole sentences, in quotation marks. */
function shown(end: End): string {
  if (!isItem(end)) return end.name;
  const { length } = [...end.name];
  const isCut = length >= titleCharacters - 1 && !/[.!?…)"”]$/.test(end.name);
  return `"${isCut ? clip(`${end.name}${length < titleCharacters ? ' ' : ''}…`, titleCharacters) : end.name}"`;
}

/** "was sent by": what is recorded of an item, as a sentence. */
function verbOf(source: End, predicate: string): string {
  const words = predicate.replaceAll('_', ' ');
  if (!isItem(source)) return words;
  if (/^\S+ed by$|^(?:sent|assigned) (?:by|to)$/.test(words)) return `was ${words}`;
  if (/^(?:child|parent) of$/.test(words)) return `is a ${words}`;
  if (words === 'comment on') return 'is a comment on';
  return words === 'same thread' ? 'is in one thread with' : words;
}

function bareOf(text: string): string {
  return text.replace(/[\s.!]+$/, '').toLowerCase();
}

function withStop(text: string): string {
  return /[\p{L}\p{N})\]"'”’%]$/u.test(text) ? `${text}.` : text;
}

/** Cut at the end of a word. */
function clip(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const cut = characters.slice(0, max - 1).join('');
  const words = cut.replace(/\s+\S*$/, '');
  return `${words.length > cut.length / 2 ? words : cut}…`;
}
