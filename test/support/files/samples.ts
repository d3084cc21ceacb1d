import { iworkSamples } from './iwork.js';
import { presentationSamples } from './presentations.js';
import { bytesOf } from './reading.js';
import { spreadsheetSamples } from './spreadsheets.js';

/** A small honest file of one kind. */
export interface Sample {
  /** Names its kind. */
  readonly extension: string;
  bytes(): Uint8Array | Promise<Uint8Array>;
  /** What a block must say. */
  readonly text: string;
  /** Of that block. */
  readonly headings?: readonly string[];
  readonly layout?: Readonly<Record<string, unknown>>;
}

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
    text: 'Words *here*.',
    headings: ['Top', 'Inner'],
  })),
  ...['html', 'htm'].map((extension) => ({
    extension,
    bytes: () => bytesOf('<html><body><h1>Top</h1><h2>Inner</h2><p>Words <i>here</i>.</p></body></html>'),
    text: 'Words _here_.',
    headings: ['Top', 'Inner'],
  })),
  {
    extension: 'csv',
    bytes: () => bytesOf('name,town\nZoë,Oslo\n'),
    text: 'name: Zoë; town: Oslo',
    headings: [],
    layout: { row: 2 },
  },
];

/** One file of every extension that is accepted, made here. */
export const SAMPLES: readonly Sample[] = [
  ...textSamples,
  ...presentationSamples,
  ...spreadsheetSamples,
  ...iworkSamples,
];
