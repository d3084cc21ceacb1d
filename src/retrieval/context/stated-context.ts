import { attachmentsNamespace, commentsNamespace, sourcesNamespace } from '../../graph/entity-key.js';
import { LIMITS } from '../../limits.js';
import { inOneLine } from '../../text/one-line.js';
import { anyRelative } from '../../text/relatives.js';

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

/** Titles that were made of a text are cut at this length, perhaps within a word. */
const titleCharacters = 80;

/**
 * Predicates that say what somebody has or is, not what they do. "Manager" alone is not among them, because
 * it could be read either way.
 */
const nouns = new RegExp(
  `^(?:has ((?:(?:older|younger|little|big|best) )?(?:${anyRelative}|friend|colleague|doctor|dentist|therapist|landlord|landlady|lawyer|vet|cat|dog|pet))|((?:favou?rite|preferred) .+|diet|occupation))$`,
  'i',
);

/** Predicates that are no verbs by themselves, with their verb: "married to", "based in", "part of". */
const states = new Map(
  Object.entries({
    is: 'married to|divorced from|based in|located in|allergic to|assigned to|written in|part of|from|near',
    was: 'born in|buried in',
    'is a':
      'member of|child of|parent of|sibling of|cousin of|customer of|client of|supplier of|vendor of|competitor of|fork of',
    'is the': 'capital of',
  }).flatMap(([being, all]) => all.split('|').map((words): [string, string] => [words, `${being} ${words}`])),
);

/** What items are to people, parts and other items, where adding "was" to "… by" does not say it. */
const recorded = new Map([
  ['assigned to', 'was assigned to'],
  ['sent by', 'was sent by'],
  ['sent to', 'was sent to'],
  ['forwarded from', 'was forwarded from'],
  ['commented by', 'was commented on by'],
  ['child of', 'is a child of'],
  ['parent of', 'is a parent of'],
  ['comment on', 'is a comment on'],
  ['reply to', 'is a reply to'],
  ['linked to', 'is linked to'],
  ['relates to', 'is related to'],
  ['same thread', 'is in one thread with'],
]);

/** One short text about relations, ready for a prompt: what they say, then the sentences that said it. */
export function contextOf(statements: readonly Statement[]): string {
  const said = statements.map(sentenceOf);
  const contexts = statements.map(({ relation }) =>
    withStop(cutAtWord(inOneLine(relation.context), LIMITS.pathContextCharactersMax)),
  );
  // The sentence itself may say just "Anna lives in Oslo".
  const once = new Map<string, string>();
  for (const text of [...said, ...contexts]) if (!once.has(bareOf(text))) once.set(bareOf(text), text);
  return [...once.values()].filter((text) => text !== '').join(' ');
}

/**
 * "Anna lives in Oslo.", "Anna's sister is Berta."; empty when the sentence that stated it follows and says
 * the same.
 */
function sentenceOf({ source, relation, target }: Statement): string {
  const { canonicalPredicate, context, temporalDetails } = relation;
  const predicate = canonicalPredicate.replaceAll('_', ' ');
  const when = temporalDetails ? ` (${temporalDetails})` : '';
  const [, had, been] = nouns.exec(predicate) ?? [];
  const noun = had ?? been;
  const possessed = `${source.name}'s ${noun ?? predicate}`;
  const isSaid = context.startsWith(`${possessed} `);
  if (isSaid && when === '' && context.includes(target.name)) return '';
  return isSaid || noun !== undefined
    ? `${possessed} is ${target.name}${when}.`
    : `${shown(source)} ${verbOf(source, { words: predicate, isFormer: /^former\b/.test(temporalDetails ?? '') })} ${shown(target)}${when}.`;
}

const itemNamespaces: readonly string[] = [sourcesNamespace, commentsNamespace, attachmentsNamespace];

/** Whether an end is an item, or a comment or attachment of one. */
const isItem = ({ namespace }: End) => itemNamespaces.includes(namespace ?? '');

/**
 * The name of an end. An item is shown by its title in quotation marks, since that may be a whole sentence.
 */
function shown(end: End): string {
  if (!isItem(end)) return end.name;
  const { length } = [...end.name];
  const isCut = length >= titleCharacters - 1 && !/[.!?…)"”]$/.test(end.name);
  return `"${isCut ? cutAtWord(`${end.name}${length < titleCharacters ? ' ' : ''}…`, titleCharacters) : end.name}"`;
}

/** The predicate as a verb: "is married to"; for the recorded relations of an item "was sent by". */
function verbOf(source: End, { words, isFormer }: { words: string; isFormer: boolean }): string {
  if (!isItem(source)) return states.get(words)?.replace(/^is\b/, isFormer ? 'was' : 'is') ?? words;
  const phrase = recorded.get(words);
  return phrase ?? (/^\S+ed by$/.test(words) ? `was ${words}` : words);
}

function bareOf(text: string): string {
  return text.replace(/[\s.!]+$/, '').toLowerCase();
}

function withStop(text: string): string {
  return /[\p{L}\p{N})\]"'”’%]$/u.test(text) ? `${text}.` : text;
}

/** Shortens a text at the end of a word. */
function cutAtWord(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const cut = characters.slice(0, max - 1).join('');
  const words = cut.replace(/\s+\S*$/, '');
  return `${words.length > cut.length / 2 ? words : cut}…`;
}
