import type { Provider } from './provider.js';
import { confluence } from './providers/confluence.js';
import { filesystem } from './providers/filesystem.js';
import { github } from './providers/github.js';
import { gmail } from './providers/gmail.js';
import { googleDrive } from './providers/google-drive.js';
import { imap } from './providers/imap.js';
import { jira } from './providers/jira.js';
import { linear } from './providers/linear.js';
import { notion } from './providers/notion.js';
import { rss } from './providers/rss.js';
import { s3 } from './providers/s3.js';
import { slack } from './providers/slack.js';
import { web } from './providers/web.js';

/** Every provider, in the order in which they are listed. */
export const PROVIDERS: readonly Provider[] = [
  rss,
  web,
  imap,
  s3,
  filesystem,
  slack,
  github,
  notion,
  linear,
  jira,
  confluence,
  googleDrive,
  gmail,
];
