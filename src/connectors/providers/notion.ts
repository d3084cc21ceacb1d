import { z } from 'zod';
import type { Provider } from '../provider.js';
import type { NotionCredentials } from './notion/notion-api.js';
import { NotionSession } from './notion/notion-session.js';

/** Pages with the pages below them, and databases with their pages. */
export const notion: Provider<NotionCredentials> = {
  id: 'notion',
  name: 'Notion',
  category: 'wiki',
  authTypes: ['api_token'],
  resourceType: 'page',
  supportsAcl: false,
  indexedObjectTypes: ['page'],
  searchableFields: ['title', 'body', 'properties', 'comments'],
  filterableFields: ['page_id', 'database_id'],
  credentials: z.strictObject({
    access_token: z.string().trim().min(1).describe('Secret of an internal integration of Notion: ntn_…'),
  }),
  filters: z.strictObject({
    include_child_pages: z
      .boolean()
      .describe('Pages below a page, and pages of databases in it; default true')
      .optional(),
    include_comments: z.boolean().describe('Open comments on pages; default true').optional(),
  }),
  setupGuide: `1. At https://www.notion.so/profile/integrations create an **internal integration** of the workspace. Capabilities: **Read content**,
   and, if wanted, **Read comments** and **Read user information including email addresses**.
2. Open each page or database that is to be read, **… > Connections**, and add the integration. Pages below are shared with it.
3. Create the connector with \`{"access_token": "ntn_…"}\`, the integration's secret.
4. Choose pages or databases: the resource id is the id in the address, or the whole address.

A page brings the pages below it and the pages of databases among them; a database brings its pages, without pages below these.
What was edited appears with the next sync. Pages that were deleted or moved away are removed by the daily check; those of a database that
were moved to the trash at once. Notion does not tell of new comments: they appear when their page is edited.

Notion does not tell who may read a page: give the resource an \`acl\` of your own, or everybody who may search the database reads it.`,
  open: (connection) => new NotionSession(connection),
};
