import type { Sample } from './sample.js';
import { zipped } from './zipped.js';

export interface OpenDocumentParts {
  kind?: 'text' | 'presentation' | 'spreadsheet';
  body: string;
  styles?: string;
  files?: Readonly<Record<string, string | Uint8Array>>;
}

/** `styles` are automatic ones of the content. */
export function openDocumentFile({
  kind = 'text',
  body,
  styles = '',
  files = {},
}: OpenDocumentParts): Uint8Array {
  return zipped({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml':
      '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:style="s" ' +
      'xmlns:fo="f" xmlns:xlink="x" xmlns:dc="c" xmlns:presentation="p" xmlns:svg="v">' +
      `<office:automatic-styles>${styles}</office:automatic-styles>` +
      `<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...files,
  });
}

export const openDocumentSamples: readonly Sample[] = [
  {
    extension: 'odt',
    bytes: () =>
      openDocumentFile({
        body:
          '<text:h text:outline-level="1">Top</text:h><text:h text:outline-level="2">Inner</text:h>' +
          '<text:p>Words in<text:s text:c="2"/>漢字.</text:p>',
      }),
    text: 'Words in  漢字.',
    headings: ['Top', 'Inner'],
  },
  {
    extension: 'odp',
    bytes: () =>
      openDocumentFile({
        kind: 'presentation',
        body:
          '<draw:page/><draw:page><draw:frame><draw:text-box><text:p>Words here.</text:p></draw:text-box></draw:frame>' +
          '<draw:frame presentation:class="title"><draw:text-box><text:p>Top</text:p></draw:text-box></draw:frame></draw:page>',
      }),
    text: 'Words here.',
    headings: ['Top'],
    layout: { slide: 2 },
  },
];
