import type { Provider } from '../../../src/connectors/provider.js';
import { filesystem } from '../../../src/connectors/providers/filesystem.js';
import { imap } from '../../../src/connectors/providers/imap.js';
import { s3 } from '../../../src/connectors/providers/s3.js';
import { startFilesystemFake } from './filesystem-fake.js';
import { dovecotProblem } from './dovecot.js';
import { startImapFake } from './imap-fake.js';
import type { FakedProvider } from './provider-fake.js';
import { startS3Fake } from './s3-fake.js';

/** One for each provider: the contract suites run over this list. */
export const FAKED_PROVIDERS: readonly FakedProvider[] = [
  {
    provider: imap as unknown as Provider,
    start: startImapFake,
    manyObjects: 120,
    problem: dovecotProblem(),
  },
  { provider: s3 as unknown as Provider, start: startS3Fake, manyObjects: 450 },
  {
    provider: filesystem as unknown as Provider,
    start: async () => startFilesystemFake(),
    manyObjects: 450,
  },
];
