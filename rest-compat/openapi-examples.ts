/** Example bodies by operation; without one, a viewer fills in every parameter under all of its names. */
export const REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'create-database': { database: 'acme' },
  'add-metadata-fields': { add_fields: [{ name: 'team' }, { name: 'size', data_type: 'INT64' }] },
  ingest: {
    database: 'acme',
    type: 'memory',
    memories: [{ id: 'tea', text: 'Mira drinks green tea.' }],
  },
  'send-feedback': {
    request_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    rating: 'negative',
    feedback: 'The newest price list is missing.',
    ground_truth: { source_ids: ['prices-2026'] },
  },
  'update-source-metadata': {
    database: 'acme',
    collection: 'default',
    database_metadata: { team: 'docs' },
    additional_metadata: { reviewed: true },
  },
  'list-sources': { database: 'acme', filters: { metadata: { team: 'sales' } }, page_size: 20 },
  'delete-sources': { database: 'acme', type: 'memory', ids: ['tea'] },
  'create-connector': {
    provider: 'github',
    database: 'acme',
    name: 'GitHub of Acme',
    credentials: { access_token: 'github_pat_…' },
  },
  'update-connector': { sync_interval_seconds: 1800 },
  'configure-connector': {
    resources: [
      { resource_id: 'acme/website', metadata: { team: 'web' } },
      { resource_id: 'acme/handbook', collection: 'handbook', acl: ['group:staff'] },
    ],
    lookback_days: 365,
  },
  'add-resource': { resource_id: 'acme/api', filters: { lookback_days: 90 } },
  'update-resource': { acl: ['group:staff'] },
  'register-webhook': { url: 'https://example.com/events', generate_signing_secret: true },
  'set-signing-secret': { signing_secret: 'a secret that the receiver knows' },
  query: {
    database: 'acme',
    query: 'what does Mira drink',
    type: 'all',
    metadata_filters: { team: ['sales', 'docs'], additional_metadata: { stars: { $gte: 3 } } },
  },
};
