import { inOneLine } from './one-line.js';

/**
 * At most this much of a quotation directly above an answer is kept with it, in whole
 * lines: it is what is answered.
 */
const answeredCharactersMax = 600;
/** Without an attribution, fewer lines behind `>` than these may well be no quotation: "> 5 items". */
const unattributedLinesMin = 3;
const attributionLinesMax = 3;
const attributionCharactersMax = 300;
/**
 * The largest distance from an attribution to the first line of its quotation: at most one blank line
 * between them.
 */
const attributionGapMax = 2;
const headerLinesMax = 10;
const markerCharactersMax = 200;

const mark = /^ ?>/;
const marks = /^(?: ?>)+ ?/;
const fence = /^\s{0,3}(?:```|~~~)/;

/** The beginning of an attribution such as "On Mon, 3 June 2024 at 9:00, Ann wrote:". */
const opener =
  /^(?:on|am|le|el|il|em|op|den|dne|w dniu)\s|^\p{L}{2,4}\.?,? \d{1,2}[. ]|^\d{1,4}[-./年]\d{1,2}[-./月]/iu;
const verbs =
  'wrote|writes|schrieb|schreef|écrit|escribió|ha scritto|escreveu|skrev|napisał(?:\\(a\\))?|napsal(?:\\(a\\))?|kirjoitti|yazdı|написал(?:\\(а\\)|а)?|пишет';
const said = new RegExp(`(?:^|[\\s>)])(?:${verbs})(?=[\\s:：])`, 'iu');
/**
 * An attribution that needs no `>` behind it: the verb ends the line, or only a name follows it, in
 * languages with that word order.
 */
const plainlySaid = new RegExp(
  `(?:^|[\\s>)])(?:${verbs})\\s?[:：]$|^(?:am|op|den|dne)\\s.*\\d.*\\s(?:schrieb|schreef|skrev|napsal)\\s.{1,100}$`,
  'iu',
);
/** An attribution in any language: a date, and the sender's address. */
const saidByAddress = /\d.*<[^<>\s]+@[^<>\s]+>[)\s]*[:：]$/;
const told = /[:：]\s*$/;
const momentOrAddress = /\d{1,2}[:.h]\d{2}|\S@\S/;

/** "-----Original Message-----" and the like. */
const originalLine =
  /^[-_*\s]{2,}(?:original message|original appointment|ursprüngliche nachricht|original-nachricht|message d['’]origine|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|wiadomość oryginalna|исходное сообщение|元のメッセージ|原始邮件)[-_*\s]{2,}$/iu;
const forwardedWords =
  /forwarded message|weitergeleitete[rn]? nachricht|message (?:transféré|réexpédié|transmis)|mensaje reenviado|mensagem (?:encaminhada|reencaminhada)|messaggio inoltrato|doorgestuurd bericht|vidarebefordrat meddelande|пересылаемое сообщение|转发的?邮件|転送されたメッセージ/iu;
const forwardedLine = /^(?:[-_*\s]{2,}.{1,60}[-_*\s]{2,}|.{1,60}:)$/u;
/** Subjects of forwarded mails. */
const forwardSubject = /^\s*(?:fwd?|wg|tr|rv|enc|doorst|i|vb|vs)\s*:/i;
const rule = /^\s*[-_=*]{5,}\s*$/;
/**
 * A line below which nothing comments on the quotation above: the separator of a
 * signature, or a list's footer.
 */
const footLine = /^(?:-- ?|[_*=-]{5,}.*)$/;

const labels = {
  from: 'from|von|de|da|van|från|fra|od|от|差出人|发件人',
  sent: 'sent|date|gesendet|datum|envoyé|enviado(?: el| em)?|fecha|inviato|data|verzonden|skickat|sendt|enviada em|wysłano|отправлено|дата|送信日時|发送时间|日期',
  to: 'to|an|à|para|a|aan|till|til|do|кому|宛先|收件人',
  subject: 'subject|betreff|objet|asunto|oggetto|onderwerp|ämne|emne|assunto|temat|тема|件名|主题',
};
const labelled = (names: string) => new RegExp(`^[*\\s]*(?:${names})\\s?\\*?\\s?[:：]`, 'iu');
const fromLine = labelled(labels.from);
const sentLine = labelled(labels.sent);
const toLine = labelled(`${labels.to}|${labels.subject}`);
const headerLine = labelled(`${Object.values(labels).join('|')}|cc|kopie|bcc|reply-to|importance`);

/** Whether the subject of a mail marks it as forwarded. */
export function isForwarded(subject: string): boolean {
  return forwardSubject.test(subject);
}

/**
 * Which lines of a mail repeat earlier mails; one boolean per line. These are the lines below "On … wrote:"
 * or "-----Original Message-----", and those behind `>`. Lines that are answered right below do not count,
 * nor does a forwarded message: both are part of what the mail says. `forwards` tells that the first
 * message below a header is a forwarded one. In doubt a line is the mail's own.
 */
export function historyLines(lines: readonly string[], forwards = false): boolean[] {
  return new History(lines, forwards).read();
}

class History {
  private readonly isHistory: boolean[];
  private readonly isCode: readonly boolean[];
  /** Whether the mail has had text of its own so far. */
  private hasOwn = false;
  /** True directly after a line that announces a forwarded message. */
  private passesOn = false;

  constructor(
    private readonly lines: readonly string[],
    /** Whether the first message below a header is a forwarded one. */
    private forwards: boolean,
  ) {
    this.isHistory = lines.map(() => false);
    this.isCode = codeLines(lines);
  }

  read(): boolean[] {
    for (let at = 0; at < this.lines.length;) at = this.step(at);
    return this.isHistory;
  }

  /** Reads from a line on; returns the line to go on from. */
  private step(at: number): number {
    const line = this.lineAt(at);
    if (isBlank(line)) return at + 1;
    if (this.isCode[at]) return this.own(at + 1);
    if (isForwardLine(line)) {
      this.passesOn = true;
      this.forwards = false;
      return this.own(headerEnd(this.lines, this.skipBlank(at + 1)));
    }
    if (mark.test(line)) return this.quotation(at);
    this.passesOn = false;
    const next = this.skipBlank(at + 1);
    const isQuoted = mark.test(this.lineAt(next));
    if (isOriginalLine(line) || isHeader(this.lines, at)) return isQuoted ? at + 1 : this.message(at);
    const attributed = attributionLines(this.lines, at);
    if (attributed === 0) return this.own(at + 1);
    if (isQuoted) return at + 1;
    const first = at + 1 - attributed;
    const isBetween = this.lastBefore(first) >= 0 && next < this.lines.length;
    return isBetween && isPlainAttribution(this.lines.slice(first, at + 1))
      ? this.rest(first)
      : this.own(at + 1);
  }

  /** Reads a message below its header. If nothing stands above it, it is the mail's own content. */
  private message(at: number): number {
    const isPassedOn = this.forwards || !this.hasOwn;
    this.forwards = false;
    const above = this.lastBefore(at);
    if (!isPassedOn) return this.rest(rule.test(this.lineAt(above)) ? above : at);
    return this.own(
      Math.max(at + 1, headerEnd(this.lines, isOriginalLine(this.lineAt(at)) ? this.skipBlank(at + 1) : at)),
    );
  }

  /** Reads lines behind `>`, from the first one. */
  private quotation(start: number): number {
    let end = start;
    for (let next = start; mark.test(this.lineAt(next)); next = this.skipBlank(end)) {
      end = next;
      while (mark.test(this.lineAt(end))) end += 1;
    }
    // Some mail programs show a forwarded message as a quotation.
    if (this.passesOn) return this.own(end);
    const above = this.lastBefore(start);
    const attributed = start - above <= attributionGapMax ? this.attributionAt(above) : 0;
    const from = attributed > 0 ? above + 1 - attributed : start;
    if (this.isAnswered(end)) this.markHistory(from, this.answeredFrom(start, end));
    else if (attributed > 0 || end - start >= unattributedLinesMin) this.markHistory(from, end);
    else this.hasOwn = true;
    return end;
  }

  private attributionAt(line: number): number {
    if (this.isHistory[line]) return 0;
    return isOriginalLine(this.lineAt(line)) ? 1 : attributionLines(this.lines, line);
  }

  /** Whether text follows a quotation that may be about it. */
  private isAnswered(end: number): boolean {
    const next = this.skipBlank(end);
    if (next >= this.lines.length) return false;
    const line = this.lineAt(next);
    if (footLine.test(line) || isMarker(line) || isHeader(this.lines, next)) return false;
    // Another quotation with its own attribution.
    for (let last = next; last < next + attributionLinesMax; last += 1)
      if (attributionLines(this.lines, last) === last + 1 - next) return false;
    return true;
  }

  /**
   * The first line of the part of a quotation that is kept with its answer. Of a long quotation this is the
   * last lines, all of one mail. 0 when the whole quotation is kept, with its attribution.
   */
  private answeredFrom(start: number, end: number): number {
    let last = end - 1;
    while (last > start && isBare(this.lineAt(last))) last -= 1;
    const depth = depthOf(this.lineAt(last));
    let from: number | undefined;
    let characters = 0;
    for (let at = last; at >= start; at -= 1) {
      const line = this.lineAt(at);
      characters += line.length + 1;
      if (depthOf(line) > depth) from ??= at + 1;
      if (characters <= answeredCharactersMax) continue;
      from ??= Math.min(at + 1, last);
      while (isBare(this.lineAt(from))) from += 1;
      return from;
    }
    return 0;
  }

  private markHistory(from: number, to: number): void {
    for (let at = from; at < to; at += 1) this.isHistory[at] = true;
  }

  private rest(from: number): number {
    this.markHistory(from, this.lines.length);
    return this.lines.length;
  }

  private own(next: number): number {
    this.hasOwn = true;
    return next;
  }

  private skipBlank(from: number): number {
    let at = from;
    while (at < this.lines.length && isBlank(this.lineAt(at))) at += 1;
    return at;
  }

  private lastBefore(line: number): number {
    let at = line - 1;
    while (at >= 0 && isBlank(this.lineAt(at))) at -= 1;
    return at;
  }

  private lineAt(line: number): string {
    return this.lines[line] ?? '';
  }
}

/** A paragraph of quoted text. */
export interface QuotedParagraph {
  readonly text: string;
  /** Whether it is from the mail that was answered, rather than from one that this repeats in turn. */
  readonly isAnswered: boolean;
}

/** The paragraphs of quoted text, without `>`, attributions and headers. */
export function quotedParagraphs(text: string): QuotedParagraph[] {
  const written = text.split('\n');
  const depths = written.map(depthOf);
  const lines = written.map(withoutMarks);
  const paragraphs: { text: string; depth: number; heads: number }[] = [];
  let open: string[] = [];
  let depth = 0;
  let heads = 0;
  const flush = () => {
    if (open.length > 0) paragraphs.push({ text: open.join('\n'), depth, heads });
    open = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (depths[at] !== depth) flush();
    depth = depths[at] ?? 0;
    const attributed = attributionLines(written, at);
    if (attributed > 1) open.splice(1 - attributed);
    const header = isHeader(lines, at) ? headerEnd(lines, at) : at;
    const isHead = attributed > 0 || header > at;
    if (isHead || isBlank(line) || isMarker(line)) flush();
    else open.push(line);
    if (isHead) heads += 1;
    at = Math.max(at, header - 1);
  }
  flush();
  const shallowest = Math.min(...paragraphs.map((each) => each.depth));
  const first = paragraphs.find((each) => each.depth === shallowest)?.heads;
  return paragraphs.map((each) => ({
    text: each.text,
    isAnswered: each.depth === shallowest && each.heads === first,
  }));
}

/** Marks lines in fenced code, where `>` is no quotation. */
function codeLines(lines: readonly string[]): boolean[] {
  const fences = lines.flatMap((line, at) => (fence.test(line) ? [at] : []));
  const isCode = lines.map(() => false);
  for (let index = 1; index < fences.length; index += 2)
    isCode.fill(true, fences[index - 1], (fences[index] ?? 0) + 1);
  return isCode;
}

/** Whether a line announces a message that is repeated or forwarded. */
function isMarker(line: string): boolean {
  return isOriginalLine(line) || isForwardLine(line);
}

function isOriginalLine(line: string): boolean {
  return line.length <= markerCharactersMax && originalLine.test(line);
}

function isForwardLine(line: string): boolean {
  return line.length <= markerCharactersMax && forwardedWords.test(line) && forwardedLine.test(line.trim());
}

/** Whether the header of a message begins at a line, as mail programs put it above what they repeat. */
function isHeader(lines: readonly string[], at: number): boolean {
  const above = lines[at - 1] ?? '';
  if (!fromLine.test(lines[at] ?? '') || !(isBlank(above) || rule.test(above) || isMarker(above)))
    return false;
  const below = lines.slice(at + 1, headerEnd(lines, at));
  return below.some((line) => sentLine.test(line)) && below.some((line) => toLine.test(line));
}

/** The line after the labelled lines that begin at `start`. */
function headerEnd(lines: readonly string[], start: number): number {
  let at = start;
  while (at - start < headerLinesMax && headerLine.test(lines[at] ?? '')) at += 1;
  return at;
}

/**
 * How many lines make up an attribution that ends with the line `last` ("On …, Ann
 * wrote:"); 0 if there is none.
 */
function attributionLines(lines: readonly string[], last: number): number {
  const line = lines[last] ?? '';
  if (!told.test(line)) return 0;
  const depth = depthOf(line);
  let words = '';
  for (let count = 1; count <= attributionLinesMax; count += 1) {
    const above = lines[last + 1 - count] ?? '';
    words = `${inOneLine(withoutMarks(above))} ${words}`.trim();
    if (isBlank(above) || depthOf(above) !== depth || words.length > attributionCharactersMax) break;
    if (opener.test(words) && isAttribution(words)) return count;
  }
  return isAttribution(inOneLine(withoutMarks(line))) ? 1 : 0;
}

function isAttribution(words: string): boolean {
  if (words.length > attributionCharactersMax) return false;
  return said.test(words) || saidByAddress.test(words);
}

/** Whether an attribution is so clear that what follows is a quotation even without `>`. */
function isPlainAttribution(lines: readonly string[]): boolean {
  const words = inOneLine(lines.join(' '));
  return (
    opener.test(words) &&
    momentOrAddress.test(words) &&
    (plainlySaid.test(words) || saidByAddress.test(words))
  );
}

function isBlank(line: string): boolean {
  return !/\S/.test(line);
}

/** Whether a line consists of quotation marks alone. */
function isBare(line: string): boolean {
  return isBlank(withoutMarks(line));
}

function withoutMarks(line: string): string {
  return line.replace(marks, '');
}

function depthOf(line: string): number {
  return (marks.exec(line)?.[0] ?? '').replace(/[^>]/g, '').length;
}
