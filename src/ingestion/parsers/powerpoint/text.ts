import { recordTypes, unicodeOf, type PowerPointRecord } from './records.js';

/** A text and what it is for: kinds 0 and 6 are titles, 2 is notes ([MS-PPT] 2.13.33). */
export interface SlideText {
  readonly kind: number;
  readonly paragraphs: readonly string[];
}

/**
 * Records of fields, which stand as `*` in the text for a number, date, header or footer that the program
 * fills in.
 */
const fieldTypes = new Set([0x0fd8, 0x0ff7, 0x0ff8, 0x0ff9, 0x0ffa, 0x1015]);

/** The texts in a list of records. Each begins with a header record that gives its kind. */
export function textsIn(records: readonly PowerPointRecord[]): SlideText[] {
  const texts: { kind: number; characters: string; fields: number[] }[] = [];
  let kind = -1;
  for (const record of records) {
    const { type, body } = record;
    if (type === recordTypes.textHeader) {
      kind = body.length >= 4 ? body.readUInt32LE(0) : -1;
      texts.push({ kind, characters: '', fields: [] });
    } else if (type === recordTypes.textChars || type === recordTypes.textBytes) {
      const characters = type === recordTypes.textChars ? unicodeOf(record) : body.toString('latin1');
      const last = texts.at(-1);
      if (last) last.characters += characters;
      else texts.push({ kind, characters, fields: [] });
    } else if (fieldTypes.has(type) && body.length >= 4) {
      texts.at(-1)?.fields.push(body.readUInt32LE(0));
    }
  }
  return texts.map((text) => ({ kind: text.kind, paragraphs: paragraphsOf(text.characters, text.fields) }));
}

function paragraphsOf(characters: string, fields: readonly number[]): string[] {
  const left = new Set(fields);
  const text =
    left.size === 0
      ? characters
      : Array.from({ length: characters.length }, (_, index) =>
          left.has(index) ? '' : characters[index],
        ).join('');
  return text
    .split(/[\r\n\0]+/)
    .map((paragraph) => paragraph.replaceAll('\u000b', '\n').trim())
    .filter((paragraph) => paragraph !== '');
}
