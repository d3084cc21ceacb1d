import { dataSamples } from './data.js';
import { mailSamples } from './mail.js';
import { bytesOf } from './reading.js';

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
export const SAMPLES: readonly Sample[] = [...textSamples, ...mailSamples, ...dataSamples];
