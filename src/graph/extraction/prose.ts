import { stopWords } from '../../text/stop-words.js';
import { isFirstName } from './lexicon.js';
import { isEnglishWord } from './reader.js';

/** The parts of a chunk: running text, and text from which only identifiers are read. */
export interface Prose {
  /** Paragraphs of English sentences, their lines joined. */
  readonly paragraphs: readonly string[];
  /** Other languages, tables and headings. */
  readonly other: readonly string[];
}

const headingWordsMax = 12;
const wrappedCharactersMin = 40;
const fence = /^\s{0,3}(?:```|~~~)/;
const indented = /^(?: {4}|\t)\s*\S/;
const bullet = /^\s*(?:[-*•+–]|\d{1,3}[.)]|[a-z][.)])\s+/;
const boilerplate =
  /©|\ball rights reserved\b|\bunsubscribe\b|\bprivacy policy\b|\bterms (?:of (?:service|use)|and conditions)\b|\bcookies?\b.*\b(?:accept|consent)|\bthis (?:e-?mail|message) (?:and any|is intended|may contain)|\bconfidentiality notice\b|\bclick here\b|\bview (?:this|in) (?:email|browser)\b|^-{2,}\s*$|^on .{1,120} wrote:\s*$/i;
/** PLACE (AGENCY) or PLACE, STATE (AGENCY): lines in capitals that are no headings. */
const dateline =
  /^\p{Lu}[\p{L}.' -]{1,40}(?: ?, ?\p{Lu}[\p{L}.]{1,30} ?\.?(?: \( ?\p{Lu}{2,6} ?\))?|\( ?\p{Lu}{2,6} ?\)) ?[.;]?$/u;
const closing = /[.!?…;]["'”’)\]\s]*$/;
/** "Assignee: ", "Next meeting: ", "[09:02] Priya: " */
const label =
  /^(?:[[(]?\d{1,2}:\d\d(?::\d\d)?[\])]? *)?(\p{Lu}[\p{L}\p{M}\d.'’/&-]*(?: [\p{L}\p{M}\d.'’/&-]+){0,3}):(?:\s|$)/u;
/** The beginning of a line of a log, a chat or a CV. */
const dated = /^(?:[[(]?\d{1,2}:\d\d(?!\d)|\d{4} ?[-–—] ?(?:\d{4}|present|now|today)\b)/i;
/** "**Owner:** Ann Lee" */
const emphasis = /\*\*/g;
const entryCharactersMax = 60;

/**
 * Separates the running text of a chunk from tables, headings and other languages. Code,
 * quotations and boilerplate are dropped.
 */
export function readProse(text: string): Prose {
  const paragraphs: string[] = [];
  const other: string[] = [];
  let open = '';
  let last = '';
  let inCode = false;
  const flush = () => {
    if (open !== '') (isEnglish(open) && !isHeading(open) ? paragraphs : other).push(open);
    open = '';
  };
  let blankBefore = true;
  for (const raw of text.replaceAll(emphasis, '').split('\n')) {
    const line = raw.trim();
    const isBlank = line === '';
    if (fence.test(raw)) inCode = !inCode;
    if (isBlank || inCode || fence.test(raw) || /^\s*>/.test(raw)) flush();
    else if (isCode(raw, blankBefore) || boilerplate.test(line)) flush();
    else if (isTable(raw) || /^#{1,6}\s/.test(line)) {
      flush();
      other.push(line);
    } else {
      if (bullet.test(raw) || !continues(last, line)) flush();
      open = open === '' ? line.replace(bullet, '') : `${open} ${line}`;
      last = line;
    }
    blankBefore = isBlank;
  }
  flush();
  return { paragraphs, other };
}

/** Whether a line continues the one before: prose that was cut into lines, not entries of a list. */
function continues(before: string, line: string): boolean {
  if (dated.test(line) || (label.test(line) && label.test(before))) return false;
  if (/[,;–—-]$/.test(before) || /^\p{Ll}/u.test(line)) return true;
  // "Attendees: Ann Lee, Bob Hill"
  if (label.test(before) && isTitleCase(wordsOf(before.replace(label, ''))) && !endsOpen(before))
    return false;
  const isLong = before.length >= wrappedCharactersMin;
  if (isLong && endsOpen(before)) return true;
  return isLong && !/:$/.test(before) && !label.test(line) && !isEntry(line);
}

/** "… was appointed by the": whether a line ends in a function word. */
function endsOpen(line: string): boolean {
  const word = /(?:^|\s)(\p{Ll}+)$/u.exec(line)?.[1];
  return word !== undefined && stopWords.has(word);
}

/** "Head of Platform", "Contoso Ltd": whether a line looks like one of a signature, a list or a form. */
function isEntry(line: string): boolean {
  return line.length <= entryCharactersMax && !closing.test(line) && isTitleCase(wordsOf(line));
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word));

function isTitleCase(words: readonly string[]): boolean {
  return words.every((word) => /^[^\p{L}]*\p{Lu}/u.test(word) || stopWords.has(word.toLowerCase()));
}

function isCode(line: string, blankBefore: boolean): boolean {
  const trimmed = line.trim();
  if (indented.test(line) && blankBefore && /[;{}=<>()]|^\s+[a-z]+ -/.test(line)) return true;
  if (
    /^(?:[$>] |import |from \S+ import|export |const |let |var |def |class \w+[:({]|function |return\b|public |private |SELECT |INSERT |UPDATE |CREATE |<\/?\w+|[\w.]+\(.*\)[;{]?$)/.test(
      trimmed,
    )
  )
    return /[;{}()=<>'"$]|--/.test(trimmed);
  const marks = trimmed.match(/[{}[\]<>=;|\\$#*_~^]/g)?.length ?? 0;
  return marks > 3 && marks / trimmed.length > 0.06;
}

function isTable(line: string): boolean {
  if ((line.match(/\|/g)?.length ?? 0) >= 2 || (line.match(/\t/g)?.length ?? 0) >= 2) return true;
  const words = line.split(/[\s,;]+/).filter((word) => word !== '');
  const numbers = words.filter((word) => /^[\d.,%$€£+-]+$/.test(word)).length;
  if (words.length >= 4 && numbers / words.length > 0.5) return true;
  return (line.match(/,(?=\S)/g)?.length ?? 0) >= 3 && !/, /.test(line);
}

/**
 * Whether a paragraph is a heading: in capitals or title case, without a full stop.
 * "Assignee: Dr. Nina Hill" is not one.
 */
function isHeading(paragraph: string): boolean {
  if (paragraph.length > 200 || dateline.test(paragraph)) return false;
  const words = wordsOf(paragraph);
  const value = label.test(paragraph) ? wordsOf(paragraph.replace(label, '')) : [];
  if (value.slice(0, 2).some((word) => isFirstName(word.toLowerCase()) || isUnknown(word))) return false;
  if (!/\p{Ll}/u.test(paragraph)) return true;
  if (closing.test(paragraph) || words.length > headingWordsMax) return false;
  return isTitleCase(words);
}

function isUnknown(word: string): boolean {
  return /^\p{Lu}\p{L}+[.,;]?$/u.test(word) && !isEnglishWord(word.toLowerCase().replace(/[.,;]$/, ''));
}

/** Function words of other languages in Latin script that are no English words. */
const foreignWords = new Set(
  `der die das und ist nicht ein eine einen mit für auf von zu den dem des im wird wurde sich auch
   le la les des une est et dans pour par sur avec qui que pas du au aux cette sont a été
   el los las una es en y con por para del se su como más fue son
   il lo gli un di che è per con non della nel sono alla
   het een van en de niet op zijn met voor werd
   o os um uma do da em não na no foi são ao
   och är att det som på med av för inte till var
   og er ikke til av på med som for det
   bei seit vom zur zum arbeitet gehört chez depuis desde presso dal nel
   ich du wir ihr wie habe haben hat kann können warum wann noch wenn oder aber mein meine kein keine bitte danke diese dieser
   je nous vous mon votre est pourquoi quand quiero pero cuando cómo tengo qué quién puedo hay ho hanno perché dove questo anche
   ik je wij hebben dat wat maar eu meu minha você quero
   ja on ei se että oli ovat i w z na nie się jest do w że`.split(/\s+/),
);
// These are also English words, or too short to show a language.
const ambiguousWords =
  'die no on a i en do for w z y o me so la el de van los las met son pour per con par till dos as os den under men plus';
for (const word of ambiguousWords.split(' ')) foreignWords.delete(word);

const foreignShareMax = 0.3;
const englishShareMin = 0.12;
const wordsToJudgeMin = 8;

/** Whether a text is English, judged cheaply by its script and its function words. */
export function isEnglish(text: string): boolean {
  const sample = text.slice(0, 2_000);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters === 0 || latin / letters < 0.8 || /[¿¡]/.test(sample)) return false;
  const words = sample.toLowerCase().match(/[\p{L}'’]+/gu) ?? [];
  const english = words.filter((word) => stopWords.has(word)).length;
  const foreign = words.filter((word) => foreignWords.has(word) && !stopWords.has(word)).length;
  if (foreign > english || foreign / words.length > foreignShareMax) return false;
  if (words.length < wordsToJudgeMin) return true;
  const capitalized = sample.match(/(?<!\p{L})\p{Lu}/gu)?.length ?? 0;
  if (english / words.length >= englishShareMin) return true;
  return (
    foreign * 4 <= english &&
    (english / words.length > englishShareMin / 2 || capitalized / words.length > 0.5)
  );
}
