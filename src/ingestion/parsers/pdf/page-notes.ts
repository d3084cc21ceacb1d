import type { DocumentAnnotation, FormField, ParsedPage } from '@llamaindex/liteparse';
import type { ParsedBlock } from '../parser.js';

/** Flag bits of the specification, 12.7.4.3: what is typed into such a field is not shown. */
const passwordFlag = 1 << 13;
/** Marks that only point to text, and windows that repeat the note that they belong to. */
const silentSubtypes = /^(?:link|widget|popup)$/i;

/** Comments and the values of form fields: neither is part of the page's own text. */
export function notesOf(page: ParsedPage, headings: string[]): ParsedBlock[] {
  const texts = [...fieldTexts(page.formFields ?? []), ...commentTexts(page.annotations ?? [])];
  const layout = { page: page.pageNum };
  return texts.map((text) => ({ text, headings, keepTogether: true, layout }));
}

function commentTexts(annotations: readonly DocumentAnnotation[]): string[] {
  const texts = annotations.flatMap(({ subtype, contents, title }) => {
    const words = tidy(contents);
    if (words === '' || silentSubtypes.test(subtype)) return [];
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
  if (/check|radio/i.test(field.type)) return field.checked ? field.exportValue || field.value || 'Yes' : '';
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

/** Where the links on a page lead, each with the middle of its place; links within the document are left out. */
export function linksOf(page: ParsedPage): { x: number; y: number; target: string }[] {
  return (page.annotations ?? []).flatMap(({ uri, rect }) =>
    uri && rect && /^(?:https?:|mailto:)/i.test(uri) && uri.length <= 2000
      ? [{ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2, target: uri }]
      : [],
  );
}
