import { z } from 'zod';
import type { Provider } from '../provider.js';
import type { LinearCredentials } from './linear/linear-api.js';
import { LinearSession } from './linear/linear-session.js';

const names = z.array(z.string().trim().min(1)).max(100);

/** Issues of a team with their comments, and documents of the team and its projects. */
export const linear: Provider<LinearCredentials> = {
  id: 'linear',
  name: 'Linear',
  category: 'tickets',
  authTypes: ['api_token'],
  resourceType: 'team',
  supportsAcl: true,
  indexedObjectTypes: ['issue', 'comment', 'document'],
  searchableFields: ['title', 'description', 'body'],
  filterableFields: ['issue_id', 'identifier', 'team_id', 'project_id', 'comment_id', 'document_id'],
  credentials: z.strictObject({
    api_key: z.string().trim().min(1).describe('Personal API key of Linear: lin_api_…'),
  }),
  filters: z.strictObject({
    states: names.describe('Only issues in one of these states, by name: In Progress').optional(),
    labels: names.describe('Only issues with one of these labels, by name').optional(),
    include_comments: z.boolean().describe('Comments on issues; default true').optional(),
    include_documents: z
      .boolean()
      .describe('Documents of the team and of its projects; default true')
      .optional(),
    include_archived: z.boolean().describe('Archived things, which are gone else; default false').optional(),
  }),
  setupGuide: `1. In Linear open **Settings > Security & access > Personal API keys** and create a key; the permission **Read** is enough.
   It sees what its owner sees: private teams only if the owner is a member.
2. Create the connector with \`{"api_key": "lin_api_…"}\`.
3. Choose teams: the resource id is the team's id, or its key as it stands in front of issue numbers (\`ENG\`).

Issues, comments and documents that are changed appear with the next sync. What is archived or moved to the trash is removed; comments
that were deleted, and issues that left the team or no longer pass the filters, are removed by the daily check.`,
  open: (connection) => new LinearSession(connection),
};
