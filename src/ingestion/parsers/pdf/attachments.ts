import type { InnerFile } from '../parser.js';
import { stringOf, type PdfObjects } from './objects.js';

const attachmentsMax = 200;

/** The files that are attached to a PDF or to its comments, each once. */
export function attachmentsOf(objects: PdfObjects): InnerFile[] {
  if (objects.isEncrypted) return [];
  const files = new Map<number, InnerFile>();
  for (const text of objects.withText('/EF')) {
    for (const specification of specifications(text)) {
      const number = streamNumber(specification, objects);
      const name = stringOf(specification, 'UF') || stringOf(specification, 'F');
      if (number === undefined || !name || files.has(number) || files.size >= attachmentsMax) continue;
      const bytes = objects.stream(number);
      if (bytes) files.set(number, { name, contentType: contentTypeOf(objects.text(number)), bytes });
    }
  }
  return [...files.values()];
}

/** Splits an object that contains a list of file specifications; each has one `/EF`. */
function specifications(text: string): string[] {
  const places = [...text.matchAll(/\/EF\b/g)].map(({ index }) => index).slice(0, attachmentsMax);
  if (places.length < 2) return [text];
  return places.map((place, index) => {
    const start = Math.max(places[index - 1] ?? 0, text.lastIndexOf('/Filespec', place), 0);
    return text.slice(start, places[index + 1] ?? text.length);
  });
}

function streamNumber(specification: string, objects: PdfObjects): number | undefined {
  const reference = /\/EF\s+(\d{1,10})\s+\d{1,5}\s+R/.exec(specification)?.[1];
  const dictionary =
    reference === undefined
      ? /\/EF\s*<<([^>]{0,500})>>/.exec(specification)?.[1]
      : objects.text(Number(reference));
  const number = /\/U?F\s+(\d{1,10})\s+\d{1,5}\s+R/.exec(dictionary ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

function contentTypeOf(dictionary: string | undefined): string | undefined {
  const name = /\/Subtype\s*\/([\w#.+-]{1,100})/.exec(dictionary ?? '')?.[1];
  return name?.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
