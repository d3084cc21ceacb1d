import type { Sample } from './sample.js';
import { zipped } from './zipped.js';

const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Its styles as a German Word names them. */
const styles = [
  ['berschrift1', 'heading 1', '<w:outlineLvl w:val="0"/>'],
  ['berschrift2', 'heading 2', '<w:outlineLvl w:val="1"/>'],
  ['Titel', 'Title', ''],
]
  .map(
    ([id, name, properties]) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:pPr>${properties}</w:pPr></w:style>`,
  )
  .join('');

export interface WordParts {
  body: string;
  /** Parts by type, e.g. `footnotes`; each as the markup within its root element. */
  parts?: Readonly<Record<string, string>>;
  /** Further relationships of the document. */
  relationships?: string;
  files?: Readonly<Record<string, string | Uint8Array>>;
}

export function wordFile({ body, parts = {}, relationships = '', files = {} }: WordParts): Uint8Array {
  const all: Readonly<Record<string, string>> = { styles, ...parts };
  const related = Object.keys(all).map(
    (type) => `<Relationship Id="${type}" Type="${types}/${type}" Target="${type}.xml"/>`,
  );
  return zipped({
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${types}/officeDocument" Target="/word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document ${namespaces}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships>${related.join('')}${relationships}</Relationships>`,
    ...Object.fromEntries(
      Object.entries(all).map(([type, content]) => [
        `word/${type}.xml`,
        `<w:root ${namespaces}>${content}</w:root>`,
      ]),
    ),
    ...files,
  });
}

/** A paragraph in a style, by its id; what is no markup is a run of text. */
export function paragraph(content: string, style?: string): string {
  const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : '';
  return `<w:p>${properties}${content.startsWith('<') ? content : run(content)}</w:p>`;
}

export function run(text: string, properties = ''): string {
  return `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
}

export const wordSamples: readonly Sample[] = [
  {
    extension: 'docx',
    bytes: () =>
      wordFile({
        body:
          paragraph('Top', 'berschrift1') + paragraph('Inner', 'berschrift2') + paragraph('Words in 漢字.'),
      }),
    text: 'Words in 漢字.',
    headings: ['Top', 'Inner'],
  },
];
