import { linkedText } from '../linked-text.js';
import type { IwaObject, IwaObjects } from './iwa.js';
import { tableOf, type IwaTable } from './iwa-table.js';
import { bytesOf, integerOf, messageOf, messageWithin, textOf, type Message } from './protobuf.js';

/** A paragraph, a comment or a table, in the order of the document. */
export type StoryPart = { text: string; style: string; comment?: string } | { table: IwaTable };

const storages = new Set([2001, 2005]);
const tableInfo = 6000;
const comment = 3056;
const hyperlink = 2032;
/**
 * The type numbers, equal in all three programs, of objects that may contain texts: attachments, footnotes,
 * shapes, highlights, images, groups; placeholders and notes of slides; floating objects of pages, sections
 * and their headers.
 */
const containers = new Set([
  7, 12, 15, 2003, 2004, 2006, 2007, 2008, 2009, 2010, 2011, 2013, 2014, 2015, 2016, 3002, 3003, 3004, 3005,
  3006, 3007, 3008, 3009, 10010, 10011, 10143,
]);
const depthMax = 40;
/**
 * The fields of a text that list what is attached, linked, footnoted and highlighted, by character positions.
 */
const attached = 9;
const linked = 11;
const footnotes = 16;
const highlighted = 23;

/** Reads the texts of a document's objects in the order of the document. */
export class IwaStory {
  private readonly told = new Set<number>();

  constructor(private readonly objects: IwaObjects) {}

  /**
   * The text of an object and of all that it contains. Every object is read only once, so a second call
   * returns nothing.
   */
  partsOf(object: IwaObject | undefined, depth = 0): StoryPart[] {
    if (object === undefined || this.told.has(object.id) || depth > depthMax) return [];
    this.told.add(object.id);
    if (storages.has(object.type)) return this.paragraphs(messageOf(object.body), depth);
    if (object.type === tableInfo) return [{ table: tableOf(object, this.objects) }];
    if (object.type === comment) return this.comment(object, depth);
    if (!containers.has(object.type) && depth > 0) return [];
    const parts = this.objects.within(object).flatMap((each) => this.partsOf(each, depth + 1));
    // The balloon of a comment is a shape that contains the comment and also its text.
    const texts = new Set(parts.map((part) => ('text' in part ? part.text : '')));
    return parts.filter(
      (part) => !('text' in part) || part.comment === undefined || !texts.has(part.comment),
    );
  }

  private comment(object: IwaObject, depth: number): StoryPart[] {
    const message = messageOf(object.body);
    const author = this.objects.referred(message, 3);
    const name = author ? textOf(messageOf(author.body), 1) : '';
    const text = textOf(message, 1).trim();
    const replies = bytesOf(message, 4).map((reference) =>
      this.objects.get(integerOf(messageOf(reference), 1)),
    );
    return [
      { text: name === '' || text === '' ? text : `${name}: ${text}`, style: '', comment: text },
      ...replies.flatMap((reply) => this.partsOf(reply, depth + 1)),
    ];
  }

  private paragraphs(storage: Message, depth: number): StoryPart[] {
    const text = textOf(storage, 3);
    const held = [attached, footnotes, highlighted].flatMap((field) => this.places(storage, field));
    const links = this.places(storage, linked);
    const styles = this.places(storage, 5);
    const parts: StoryPart[] = [];
    let start = 0;
    let [heldNext, linkNext, style] = [0, 0, 0];
    held.sort((one, other) => one.at - other.at);
    for (const line of text.split('\n')) {
      const end = start + line.length;
      while ((styles[style + 1]?.at ?? Infinity) <= start) style += 1;
      const linkFirst = linkNext;
      while ((links[linkNext]?.at ?? Infinity) < end) linkNext += 1;
      const shown = readable(withLinks(line, start, links.slice(linkFirst, linkNext + 1)));
      if (shown !== '') parts.push({ text: shown, style: this.styleName(styles[style]?.object) });
      for (; (held[heldNext]?.at ?? Infinity) <= end; heldNext += 1) {
        parts.push(...this.partsOf(held[heldNext]?.object, depth + 1));
      }
      start = end + 1;
    }
    return parts;
  }

  /** The entries of a field that maps character positions to objects. */
  private places(storage: Message, field: number): { at: number; object: IwaObject | undefined }[] {
    return bytesOf(messageWithin(storage, field), 1)
      .map(messageOf)
      .map((entry) => ({ at: integerOf(entry, 1) ?? 0, object: this.objects.referred(entry, 2) }));
  }

  /** The name of a style, or of the style that it is based on. */
  private styleName(style: IwaObject | undefined): string {
    for (let depth = 0, each = style; each && depth < 5; depth += 1) {
      const base = messageWithin(messageOf(each.body), 1);
      const name = textOf(base, 1);
      if (name !== '') return name;
      each = this.objects.referred(base, 3);
    }
    return '';
  }
}

/** Puts the targets of links behind the words that they are on. */
function withLinks(
  line: string,
  start: number,
  links: readonly { at: number; object: IwaObject | undefined }[],
): string {
  let shown = line;
  for (let index = links.length - 1; index >= 0; index -= 1) {
    const { at = 0, object } = links[index] ?? {};
    if (object?.type !== hyperlink || at < start || at >= start + line.length) continue;
    const from = at - start;
    const to = Math.min(line.length, (links[index + 1]?.at ?? Infinity) - start);
    shown =
      shown.slice(0, from) +
      linkedText(shown.slice(from, to), textOf(messageOf(object.body), 2)) +
      shown.slice(to);
  }
  return shown;
}

/** Removes the characters that stand for attachments; line breaks stay. */
function readable(line: string): string {
  return line
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(/[\ufffc\p{Cc}]/gu, (character) => (character === '\t' || character === '\n' ? character : ''))
    .trim();
}
