import { clipUnits } from '../../../lib/characters.js';
import { sentencesOf } from '../../../text/sentences.js';
import { isLeadIn, namePatternsOf } from './predicate.js';

/** A part of a sentence that may state something by itself, as written in the text. */
export interface Clause {
  readonly text: string;
  /** Whether the sentence is a question, a supposition or hedged, or says what holds for some days only. */
  readonly doubtful: boolean;
  /** Whether it shares the subject of the clause before: "… and work at Acme". */
  readonly elliptical: boolean;
}

const lineCharactersMax = 20_000;
const sentenceCharactersMax = 600;
const masked = '\u0001';

const doubt =
  /\?|\b(?:if|unless|maybe|perhaps|probably|possibly|presumably|supposedly|might|could|ought|kind of|sort of|not sure|unsure|wonder|i (?:guess|suppose|hope|wish|think|assume|doubt)|as though|according to|said|says|claims|claimed|thinks|believes|someday|some day|one day|just kidding|joking|sarcas\w+|hypothetical\w*)\b/i;
/**
 * "I'm in Japan until Sunday, so my time zone is JST": what holds for some days does not end what holds otherwise.
 * What happened this week, or begins, does.
 */
const passing =
  /^(?!.*\b(?:as of|from|starting|since) (?:today|this|until)\b)(?=.*\b(?:this (?:week(?:end)?|month)|(?:until|till) (?:then|next|tomorrow|tonight|Easter|Christmas|the end|further notice|spring|summer|autumn|winter|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:January|February|March|April|May|June|July|August|September|October|November|December)|(?:I|we|my|our) )|temporarily|for the (?:weekend|time being|next \w+)|(?:just|only) for (?:now|today))\b)(?=.*(?:\b(?:am|are|is|cannot|(?:can|do|does)(?:n['’]t| not)|live|stay|work|use|drive|take|eat|drink|follow|avoid|prefer|like|love|hate|want|need)|['’](?:m|re|s))\b(?! (?:moving|starting|leaving|joining|quitting|switching|changing|becoming|getting|going)\b))/i;
/** "I don't like coffee today" */
const ofToday =
  /^(?!.*\b(?:as of|from|starting|since) today\b)(?=.*\b(?:today|tonight|this (?:morning|afternoon|evening))\b)(?=.*\b(?:eat|drink|prefer|like|love|hate|want|need)\b)/i;
/** From a sentence like this on, the text is role play, or material to work on. */
const pretence =
  /^\W*(?:now |please )?(?:imagine|pretend|suppose)\b|\b(?:pretend (?:to be|that|you|we)|role-?play|let's say|act as)\b|^\W*(?:can you |could you |please |help me )*(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct|fix|edit|write|compose|draft|generate)\b(?:.*:\s*$|.*\b(?:following|story|poem|letter|essay|dialogue|dialog|script|song|text|sentences?|e-?mail|post|bio|persona|character)\b)/i;

const firstPerson = /\b(?:I|my|me|we|our|us)\b/i;
const clauseStarts = [
  // ", and I …", "; my …", "but we …"
  /(?:,|;|\s[–—-])?\s+(?:and|but|though|although|while|yet|so|plus)\s+(?=(?:(?:now|nowadays|these days|today|currently),?\s+)?(?:I|my|we)\b)/gi,
  // "Stop calling me Mr. Lee, call me Bob"
  /,\s+(?:(?:and|but)\s+)?(?=(?:please\s+)?call me\s)/gi,
  /;\s+/g,
  // "I changed banks: my bank is …"
  /(?<=\p{Ll}):\s+(?=(?:I|my|we)\b)/giu,
];
const afterComma = /,\s+(?=(?:now,?\s+)?(?:I|my|we)\b)/gi;
/** "… and work at …" */
const ellipsis =
  /,?\s+(?:and|but)\s+(?=(?:(?:also|now|currently|really|still|always|never)\s+)?(?:lives?\s+in|works?\s+(?:at|for|as)|prefers?|hates?|dislikes?|speaks?|owns?|(?:do|does)(?:n['’]t|\s+not)\s+(?:like|eat|drink|enjoy)|(?:am|is)\s+(?:allergic|vegetarian|vegan|reading)|allergic\s+to)\b)/g;
/** "… and now drive a Tesla" */
const nowEllipsis =
  /,?\s+(?:and|but)\s+(?=now\s+(?:commutes?|drinks?|drives?|eats?|enjoys?|lives?|loves?|likes?|plays?|stud(?:y|ies)|uses?|wears?|works?)\s)/g;

/**
 * The clauses of a text that the user may have said in earnest, in order. Left out are quotations, code,
 * what others say, and everything after the beginning of role play.
 */
export function clausesOf(text: string, userName: string): Clause[] {
  const clauses: Clause[] = [];
  const visible = maskOthers(text, userName);
  let from = 0;
  for (const sentence of wholeSentences(visible)) {
    const start = from;
    from += sentence.length;
    if (sentence.trim() === '') continue;
    if (pretence.test(sentence)) break;
    if (sentence.length > sentenceCharactersMax) continue;
    let doubtful = doubt.test(sentence);
    let before = '';
    for (const { begin, end, elliptical, afterComma: follows } of clauseRanges(sentence)) {
      const clause = visible.slice(start + begin, start + end);
      // After "When I was a child, …" or "in the story, …" the statement is true only there.
      const isBound = follows && !standsAlone(before, userName);
      before = clause.trim();
      doubtful ||= passing.test(before) || ofToday.test(before);
      if (clause.trim() === '' || clause.includes(masked)) continue;
      const indent = clause.length - clause.trimStart().length;
      const place = start + begin + indent;
      clauses.push({
        text: text.slice(place, place + clause.trim().length),
        doubtful: doubtful || isBound,
        elliptical,
      });
    }
  }
  return clauses;
}

/** A request that gives a fact as its reason: "Book me a table, I am vegan". */
const errand =
  /^(?:please |can you |could you )?(?:add|book|buy|cook|find|get|make|order|plan|recommend|remind|remove|reserve|show|suggest)\b/i;

/** Whether the words before a comma are a statement or a request by themselves, or only a lead-in. */
function standsAlone(clause: string, userName: string): boolean {
  const { user, possession } = namePatternsOf(userName);
  return (
    isLeadIn(clause) ||
    errand.test(clause) ||
    user.test(clause) ||
    possession.test(clause) ||
    /^(?:we|our) |^as an? [\w-]+$/i.test(clause)
  );
}

const wrapped = /\n(?=[a-z])|(?<=\b(?:in|at|for|to|the|an?|and|of|with|my|from|over|as|is|by) ?)\n(?=\S)/g;

/** The sentences of a text, together as long as the text. A line break within a sentence does not end it. */
function wholeSentences(text: string): string[] {
  const joined = text.replace(wrapped, ' ');
  const sentences: string[] = [];
  for (const line of joined.split(/(?<=\n)/)) {
    for (let rest = line; rest !== '';) {
      const piece = clipUnits(rest, lineCharactersMax);
      sentences.push(...sentencesOf(piece));
      rest = rest.slice(piece.length);
    }
  }
  return sentences;
}

interface ClauseRange {
  readonly begin: number;
  readonly end: number;
  readonly elliptical: boolean;
  /** Whether only a comma precedes it. */
  readonly afterComma: boolean;
}

/** The positions of the clauses in a sentence; the words that join them are left out. */
function clauseRanges(sentence: string): ClauseRange[] {
  const joints = [...clauseStarts, afterComma, ellipsis, nowEllipsis].flatMap((pattern) =>
    [...sentence.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      elliptical: pattern === ellipsis || pattern === nowEllipsis,
      afterComma: pattern === afterComma,
    })),
  );
  joints.sort((a, b) => a.start - b.start || b.end - a.end);
  const ranges: ClauseRange[] = [];
  let begin = 0;
  let kind = { elliptical: false, afterComma: false };
  for (const joint of joints) {
    if (joint.start < begin) continue;
    ranges.push({ begin, end: joint.start, ...kind });
    begin = joint.end;
    kind = { elliptical: joint.elliptical, afterComma: joint.afterComma };
  }
  ranges.push({ begin, end: sentence.length, ...kind });
  return ranges;
}

/** Masks quotations, code and what others say. Every character keeps its position. */
function maskOthers(text: string, userName: string): string {
  return maskSpeakers(
    text
      .replace(/```[\s\S]*?(?:```|$)/g, hide)
      .replace(/"[^"\n]{1,500}"|“[^”\n]{1,500}”/g, (quote) =>
        firstPerson.test(quote) ? hide(quote) : quote,
      ),
    userName,
  );
}

const topicLabels =
  /^(?:notes?|update|fyi|btw|p\.?s|reminder|decisions?|preferences?|facts?|edit|correction|summary|important|context|(?:my |our )?(?:new )?(?:home )?(?:address|phone|number|e-?mail|manager|job|car))$/i;
/** Labels of a dialogue ("Assistant: …"). In one, all paragraphs up to the next label are one speaker's. */
const roleLabel =
  /^[ \t]{0,20}(?:\[[^\]\n]{1,40}\] {0,4})?(?:\*\*)?(?:assistant|ai|bot|chatbot|model|system)(?:\*\*)?:/im;
const labelWithin =
  /(?<=[.!?…)"”\p{Extended_Pictographic}]) (?=(?:\*\*)?(?:user|human|assistant|ai|bot|chatbot|model)(?:\*\*)?:\*{0,2}\s)/giu;
const labelled =
  /^(\s*(?:\[[^\]\n]{1,40}\]\s*)?(?:\*\*)?)(\p{L}[\p{L}\p{N}.'’-]*(?: \p{L}[\p{L}\p{N}.'’-]*){0,2})(?:\*\*)?:(?:\*\*)?(?=\s)/u;

function maskSpeakers(text: string, userName: string): string {
  const [firstName = ''] = userName.toLowerCase().split(/\s+/);
  const ownLabels = new Set(['user', 'human', 'me', 'i', userName.toLowerCase(), firstName]);
  const divided = text.replace(labelWithin, '\n');
  const isDialogue = roleLabel.test(divided);
  let other = false;
  const lines = divided.split('\n').map((line) => {
    if (line.trim() === '' && !isDialogue) other = false;
    if (/^\s*>/.test(line)) return hide(line);
    const label = labelled.exec(line);
    if (label) {
      const name = label[2] ?? '';
      const own = ownLabels.has(name.toLowerCase());
      const isTopic = topicLabels.test(name);
      if (own || !isTopic || !isDialogue) other = !own && !isTopic && /^\p{Lu}/u.test(name);
      if (own) return ' '.repeat(label[0].length) + line.slice(label[0].length);
    }
    return other ? hide(line) : line;
  });
  return lines.join('\n');
}

function hide(text: string): string {
  return text.replace(/[^\n]/g, masked);
}
