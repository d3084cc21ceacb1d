import { isPersonName, withoutTitles } from './affiliations.js';
import { calendarWords, isFirstName, kindOf, mayBeFirstName } from './lexicon.js';
import { isEnglishWord } from './reader.js';

/** The people who may speak in an item. */
export interface Voices {
  /** Names that are known to be people's, such as the user of a memory or the author of a message. */
  readonly people?: readonly string[];
  /** Who "I" is where no line names a speaker: the author of a message. */
  readonly author?: string | undefined;
  /** The user of a memory, whose own words are read as facts and left out here. */
  readonly user?: string | undefined;
}

const labelCharactersMax = 80;
/** "Rafi: …", "[09:12] Rafi Lund: …" */
const line =
  /^(?<time>[[(]?\d{1,2}:\d\d(?::\d\d)?[\])]? *[-–]? *)?(?<name>\p{Lu}[\p{L}\p{M}.'’-]*(?: \p{Lu}[\p{L}\p{M}.'’-]*){0,2}):\s/u;
/** "I, Agnes Castle of Totnes, …" */
const declaring = /^I, (\p{Lu}[\p{L}\p{M}.'’-]*(?: \p{Lu}[\p{L}\p{M}.'’-]*){1,3})(?: of [^,]{2,60})?, /u;
const firstPerson = /\b(?:I|[Mm][ey])\b/;
/** What only people say about themselves. */
const personal =
  /(?<!\p{L})(?:[Mm]y (?:\p{Ll}+ )?(?:boss|brother|father|flatmate|husband|manager|mother|partner|sister|wife)|I(?:['’]m| am| was| have| had)? (?:based|born|live|lived|married|moved|studied|work|worked))(?!\p{L})/u;
const nobody = /^(?:assistant|ai|bcc|bot|cc|chatbot|human|system|user)$/i;

/** Matches a speaker's label, but not a field such as "From: …" or "Status: …". */
function lineOf(paragraph: string): RegExpExecArray | null {
  const colon = paragraph.indexOf(': ');
  const found = colon < 0 || colon > labelCharactersMax ? null : line.exec(paragraph);
  const words = found?.groups?.['name']?.toLowerCase().split(' ') ?? [];
  const isField = words.every((word) => isEnglishWord(word) && !mayBeFirstName(word));
  return isField && !found?.groups?.['time'] ? null : found;
}

/** Finds who "I" is in the paragraphs of a chunk, one after the other. */
export class Speakers {
  private readonly known: ReadonlySet<string>;
  private readonly isChat: boolean;
  private isNamed = false;

  constructor(
    paragraphs: readonly string[],
    private readonly voices: Voices,
  ) {
    this.known = new Set((voices.people ?? []).map((name) => name.toLowerCase()));
    this.isChat = paragraphs.filter((paragraph) => lineOf(paragraph)).length > 1;
  }

  /**
   * The name of whoever "I" is in the next paragraph; undefined if that is not known, which includes
   * paragraphs without a label after one with a label.
   */
  of(paragraph: string): string | undefined {
    const { time, name = '' } = lineOf(paragraph)?.groups ?? {};
    const called = name === '' ? '' : withoutTitles(name).join(' ');
    const isSpeaker = name !== '' && this.isPerson(called, paragraph, time !== undefined);
    if (isSpeaker || (name !== '' && this.isChat)) this.isNamed = true;
    if (!firstPerson.test(paragraph)) return undefined;
    const declared = declaring.exec(paragraph)?.[1];
    const speaker = isSpeaker ? called : this.isNamed ? undefined : this.voices.author;
    const found = declared !== undefined && isPersonName(declared) ? declared : speaker;
    return found === this.voices.user ? undefined : found;
  }

  private isPerson(name: string, paragraph: string, isTimed: boolean): boolean {
    const lower = name.toLowerCase();
    if (nobody.test(name) || calendarWords.has(lower)) return false;
    if (this.known.has(lower) || isPersonName(name) || isFirstName(lower)) return true;
    const isTold = isTimed || this.isChat || personal.test(paragraph);
    const isUnknown = kindOf(lower) === undefined && !isEnglishWord(lower);
    return isTold && /^\p{Lu}\p{Ll}{2,}$/u.test(name) && (isUnknown || mayBeFirstName(lower));
  }
}
