import type { Sample } from './sample.js';
import { zipped } from './zipped.js';

export interface Book {
  /** Pages by file name, in the order of the archive. */
  pages: Readonly<Record<string, string>>;
  /** File names in the order of reading. */
  spine: readonly string[];
  labels?: Readonly<Record<string, string>>;
  files?: Readonly<Record<string, string>>;
}

export function epubFile({ pages, spine, labels = {}, files = {} }: Book): Uint8Array {
  const items = [...Object.keys(pages), ...spine.filter((name) => !(name in pages))].map(
    (name) => `<item id="${name}" href="text/${name}" media-type="application/xhtml+xml"/>`,
  );
  const points = Object.entries(labels).map(
    ([name, label]) =>
      `<navPoint><navLabel><text>${label}</text></navLabel><content src="text/${name}#top"/></navPoint>`,
  );
  return zipped({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf':
      '<package xmlns:dc="d"><metadata><dc:title>The Book</dc:title></metadata>' +
      `<manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>${items.join('')}</manifest>` +
      `<spine>${spine.map((name) => `<itemref idref="${name}"/>`).join('')}</spine></package>`,
    'OPS/toc.ncx': `<ncx><navMap>${points.join('')}</navMap></ncx>`,
    ...Object.fromEntries(
      Object.entries(pages).map(([name, body]) => [
        `OPS/text/${name}`,
        `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
      ]),
    ),
    ...files,
  });
}

export const epubSamples: readonly Sample[] = [
  {
    extension: 'epub',
    bytes: () =>
      epubFile({
        pages: { 'one.xhtml': '<h1>Top</h1><h2>Inner</h2><p>Words in 漢字.</p>' },
        spine: ['one.xhtml'],
      }),
    text: 'Words in 漢字.',
    headings: ['Top', 'Inner'],
    layout: { file: 'text/one.xhtml' },
  },
];
