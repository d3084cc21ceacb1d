import type { DocumentAnnotation, FormField, ParsedPage } from '@llamaindex/liteparse';
import type { ParsedBlock } from '../parser.js';
import type { Segment } from './segments.js';

/** A flag of ISO 32000, 12.7.4.3: the value of such a field is secret. */
const passwordFlag = 1 << 13;
/** Annotations that only point to text, and windows that repeat the note that they belong to. */
const silentSubtypes = /^(?:link|widget|popup)$/i;

/** The comments and the values of form fields, which are not part of the page's own text. */
export function notesOf(page: ParsedPage, headings: string[]): ParsedBlock[] {
  const shown = page.text.replace(/\s+/g, ' ');
  // Text that was typed onto the page is already in the page's text, in most files.
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

/** The fields with their values, each once: a group of radio buttons has one field for each button. */
function fieldTexts(fields: readonly FormField[]): string[] {
  return [...new Set(fields.flatMap((field) => fieldText(field)))];
}

function fieldText(field: FormField): string[] {
  const value = tidy(fieldValue(field));
  if (value === '' || (field.fieldFlags & passwordFlag) !== 0) return [];
  // The name may be a path such as `form1[0].page2[0].city[0]`; its last part names the field.
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
  // The export value is often only a number.
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

/** The pieces without those that show the value of a field, which is given with the field's name instead. */
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

/**
 * The targets of links on a page, each with the middle of its place; links within the document are left out.
 */
export function linksOf(page: ParsedPage): { x: number; y: number; target: string }[] {
  return (page.annotations ?? []).flatMap(({ uri, rect }) =>
    uri && rect && /^(?:https?:|mailto:)/i.test(uri) && uri.length <= 2000
      ? [{ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2, target: uri }]
      : [],
  );
}
