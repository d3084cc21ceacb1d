import type { DocumentAnnotation, FormField, ParsedPage } from '@llamaindex/liteparse';
import type { ParsedBlock } from '../parser.js';
import type { Segment } from './segments.js';

/** Flag bits of the specification, 12.7.4.3: what is typed into such a field is not shown. */
const passwordFlag = 1 << 13;
/** Marks that only point to text, and windows that repeat the note that they belong to. */
const silentSubtypes = /^(?:link|widget|popup)$/i;

/** Comments and the values of form fields: neither is part of the page's own text. */
export function notesOf(page: ParsedPage, headings: string[]): ParsedBlock[] {
  const shown = page.text.replace(/\s+/g, ' ');
  // What is typed on the page itself is in its text already, in most files.
  const comments = commentTexts(page.annotations ?? [], (words) =>
    shown.includes(words.replace(/\s+/g, ' ')),
  );
  const texts = [...fieldTexts(page.formFields ?? []), ...comments];
  const layout = { page: page.pageNum };
  return texts.map((text) => ({ text, headings, keepTogether: true, layout }));
}

function commentTexts(
  annotations: readonly DocumentAnnotation[],
  isShown: (words: string) => boolean,
): string[] {
  const texts = annotations.flatMap(({ subtype, contents, title }) => {
    const words = tidy(contents);
    if (words === '' || silentSubtypes.test(subtype) || (/^freetext$/i.test(subtype) && isShown(words)))
      return [];
    const author = tidy(title);
    return [author === '' ? `Comment: ${words}` : `Comment by ${author}: ${words}`];
  });
  return [...new Set(texts)];
}

/** A group of radio buttons has one field for each button. */
function fieldTexts(fields: readonly FormField[]): string[] {
  return [...new Set(fields.flatMap((field) => fieldText(field)))];
}

function fieldText(field: FormField): string[] {
  const value = tidy(fieldValue(field));
  if (value === '' || (field.fieldFlags & passwordFlag) !== 0) return [];
  // `form1[0].page2[0].city[0]` is the path of a field; its last part names it.
  const name =
    tidy(field.alternateName) ||
    tidy(
      field.name
        ?.split('.')
        .at(-1)
        ?.replace(/\[\d+\]/g, ''),
    );
  return [name === '' ? value : `${name}: ${value}`];
}

function fieldValue(field: FormField): string {
  if (/check/i.test(field.type)) return field.checked ? field.exportValue || 'Yes' : '';
  // Its export value is often only a number.
  if (/radio/i.test(field.type)) return field.checked ? field.value || field.exportValue || '' : '';
  if (/button|signature/i.test(field.type)) return '';
  if (field.selectedOptions.length > 0) return field.selectedOptions.join(', ');
  return field.value ?? '';
}

function tidy(text: string | undefined): string {
  return (text ?? '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\p{Cc}+/gu, '\n')
    .trim();
}

/** Without the pieces that only show the value of a field: that is told with the field's name. */
export function withoutFields(segments: readonly Segment[], page: ParsedPage): Segment[] {
  const places = (page.formFields ?? []).flatMap((field) =>
    fieldText(field).length > 0 ? (field.rect ?? []) : [],
  );
  return segments.filter(
    ({ x, y, width, height }) =>
      !places.some(
        (place) =>
          x >= place.x - 1 &&
          x + width <= place.x + place.width + 4 &&
          y + height / 2 >= place.y &&
          y + height / 2 <= place.y + place.height,
      ),
  );
}

/** Where the links on a page lead, each with the middle of its place; links within the document are left out. */
export function linksOf(page: ParsedPage): { x: number; y: number; target: string }[] {
  return (page.annotations ?? []).flatMap(({ uri, rect }) =>
    uri && rect && /^(?:https?:|mailto:)/i.test(uri) && uri.length <= 2000
      ? [{ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2, target: uri }]
      : [],
  );
}
