import { dataSamples } from './data.js';
import { epubSamples } from './epub.js';
import { imageSamples } from './images.js';
import { iworkSamples } from './iwork.js';
import { mailSamples } from './mail.js';
import { openDocumentSamples } from './open-document.js';
import { pdfSamples } from './pdf.js';
import { presentationSamples } from './presentations.js';
import { bytesOf } from './reading.js';
import { rtfSamples } from './rtf.js';
import type { Sample } from './sample.js';
import { spreadsheetSamples } from './spreadsheets.js';
import { wordSamples } from './word.js';
import { wordBinarySamples } from './word-binary.js';

const textSamples: readonly Sample[] = [
  ...['txt', 'text'].map((extension) => ({
    extension,
    bytes: () => bytesOf('First.\n\nSecond café.\n'),
    text: 'Second café.',
    headings: [],
  })),
  ...['md', 'markdown'].map((extension) => ({
    extension,
    bytes: () => bytesOf('# Top\n\n## Inner\n\nWords *here*.\n'),
    text: 'Words here.',
    headings: ['Top', 'Inner'],
  })),
  ...['html', 'htm'].map((extension) => ({
    extension,
    bytes: () => bytesOf('<html><body><h1>Top</h1><h2>Inner</h2><p>Words <i>here</i>.</p></body></html>'),
    text: 'Words here.',
    headings: ['Top', 'Inner'],
  })),
  {
    extension: 'csv',
    bytes: () => bytesOf('name,town\nZoë,Oslo\n'),
    text: 'name: Zoë; town: Oslo',
    headings: [],
    layout: { row: 2 },
  },
  {
    extension: 'tsv',
    bytes: () => bytesOf('name\ttown\nZoë\tOslo\n'),
    text: 'name: Zoë; town: Oslo',
    headings: [],
    layout: { row: 2 },
  },
  {
    extension: 'log',
    bytes: () =>
      bytesOf('2024-01-31 09:30:00 INFO start\n2024-01-31 09:30:01 ERROR Zoë left\n  at main.ts:1\n'),
    text: 'ERROR Zoë left\n  at main.ts:1',
    headings: [],
    layout: { row: 1 },
  },
  ...['yaml', 'yml'].map((extension) => ({
    extension,
    bytes: () => bytesOf('# Where\nhost:\n  name: Zoë\nport: 80\n'),
    text: '# Where\nhost:\n  name: Zoë',
    headings: [],
  })),
];

/** One file of every extension that is accepted, made here. */
export const SAMPLES: readonly Sample[] = [
  ...textSamples,
  ...dataSamples,
  ...epubSamples,
  ...imageSamples,
  ...iworkSamples,
  ...mailSamples,
  ...openDocumentSamples,
  ...pdfSamples,
  ...presentationSamples,
  ...rtfSamples,
  ...spreadsheetSamples,
  ...wordBinarySamples,
  ...wordSamples,
];
