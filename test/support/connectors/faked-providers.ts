import { confluence } from '../../../src/connectors/providers/confluence.js';
import { filesystem } from '../../../src/connectors/providers/filesystem.js';
import { github } from '../../../src/connectors/providers/github.js';
import { imap } from '../../../src/connectors/providers/imap.js';
import { jira } from '../../../src/connectors/providers/jira.js';
import { linear } from '../../../src/connectors/providers/linear.js';
import { notion } from '../../../src/connectors/providers/notion.js';
import { s3 } from '../../../src/connectors/providers/s3.js';
import { slack } from '../../../src/connectors/providers/slack.js';
import { ConfluenceFake } from './confluence-fake.js';
import { dovecotProblem } from './dovecot.js';
import { startFilesystemFake } from './filesystem-fake.js';
import { startGithubFake } from './github-fake.js';
import { fakedGmail } from './gmail-fake.js';
import { fakedGoogleDrive } from './google-drive-fake.js';
import { startImapFake } from './imap-fake.js';
import { JiraFake } from './jira-fake.js';
import { LinearFake } from './linear-fake.js';
import { NotionFake } from './notion-fake.js';
import type { FakedProvider } from './provider-fake.js';
import { fakedRss } from './rss-fake.js';
import { startS3Fake } from './s3-fake.js';
import { startSlackFake } from './slack-fake.js';
import { fakedWeb } from './web-fake.js';

/** One for each provider: the contract suites run over this list. */
export const FAKED_PROVIDERS: readonly FakedProvider[] = [
  fakedRss,
  fakedWeb,
  { provider: imap, start: startImapFake, manyObjects: 120, problem: dovecotProblem() },
  { provider: s3, start: startS3Fake, manyObjects: 450 },
  { provider: filesystem, start: async () => startFilesystemFake(), manyObjects: 450 },
  { provider: slack, start: startSlackFake, manyObjects: 600 },
  { provider: github, start: startGithubFake, manyObjects: 480 },
  { provider: notion, start: () => NotionFake.start(), manyObjects: 250 },
  { provider: linear, start: () => LinearFake.start(), manyObjects: 120 },
  { provider: jira, start: () => JiraFake.start(), manyObjects: 120 },
  { provider: confluence, start: () => ConfluenceFake.start(), manyObjects: 120 },
  fakedGoogleDrive,
  fakedGmail,
];
