import { inOneLine } from '../../../text/one-line.js';
import { stringOf, type PdfObjects } from './objects.js';

const titleCharactersMax = 300;

/**
 * The title that the author gave, in the document's information or its XMP; file names that programs put
 * there do not count.
 */
export function titleOf(objects: PdfObjects): string | undefined {
  if (objects.isEncrypted) return undefined;
  const information = objects.lastReference('Info');
  const dictionary = information === undefined ? undefined : objects.text(information);
  const title = stringOf(dictionary ?? '', 'Title') || xmpTitle(objects);
  const words = title?.replace(/^Microsoft (?:Word|PowerPoint|Excel) - /, '').trim();
  if (!words || /^(?:\(?(?:untitled|anonymous|unspecified)\)?|.*\.\w{2,5})$/i.test(words)) return undefined;
  return words.slice(0, titleCharactersMax);
}

function xmpTitle(objects: PdfObjects): string | undefined {
  const [xmp] = objects.withText('<dc:title');
  const found = /<dc:title[^>]{0,200}>[^]{0,300}?<rdf:li[^>]{0,200}>([^<]{1,600})</.exec(xmp ?? '')?.[1];
  if (found === undefined) return undefined;
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  const title = Buffer.from(found, 'latin1').toString('utf8');
  return inOneLine(title.replace(/&(\w{2,4});/g, (all, name: string) => named[name] ?? all));
}
