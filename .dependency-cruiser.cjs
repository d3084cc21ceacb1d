// Who may import whom (ARCHITECTURE.md, "Import rules"). Type-only imports are free: they vanish at run time.
const features = [
  'accounts',
  'databases',
  'sources',
  'graph',
  'ingestion',
  'retrieval',
  'connectors',
  'webhooks',
];

/** A feature may use those to its left in the list above. */
const featureOrder = features.map((feature, index) => ({
  name: `${feature}-uses-earlier-features-only`,
  severity: 'error',
  from: { path: `^src/${feature}/` },
  to: { path: `^src/(${features.slice(index + 1).join('|') || 'none'})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'rest-compat-knows-no-services',
      severity: 'error',
      from: { path: '^rest-compat/' },
      to: { path: '^src/', pathNot: '^src/(api/|lib/|errors\\.ts|limits\\.ts)' },
    },
    {
      name: 'api-knows-resolvers-not-services',
      severity: 'error',
      from: { path: '^src/api/' },
      to: { path: '^src/.*\\.(service|queries|jobs)\\.ts$' },
    },
    {
      name: 'resolvers-use-services-through-the-context',
      severity: 'error',
      from: { path: '\\.resolver\\.ts$' },
      to: {
        path: '(\\.(service|queries|jobs)\\.ts$|^src/(postgres|api)/|node_modules/(typeorm|pg|fastify)/)',
      },
    },
    {
      name: 'features-know-no-edge',
      severity: 'error',
      from: { path: `^src/(${features.join('|')}|inference|storage|jobs|postgres|text)/` },
      to: { path: '^(src/(api/|app[^/]*\\.ts|server\\.ts|main\\.ts)|rest-compat/)' },
    },
    {
      name: 'lib-knows-no-domain',
      severity: 'error',
      from: { path: '^src/lib/' },
      to: { path: '^src/', pathNot: '^src/(lib/|errors\\.ts|limits\\.ts)' },
    },
    {
      name: 'text-is-pure',
      severity: 'error',
      from: { path: '^src/text/' },
      to: { path: '^src/', pathNot: '^src/text/' },
    },
    {
      name: 'agenda-in-jobs-only',
      severity: 'error',
      from: { path: '^(src|rest-compat)/', pathNot: '^src/jobs/' },
      to: { path: 'node_modules/(agenda|@agendajs)/' },
    },
    {
      name: 's3-in-storage-only',
      severity: 'error',
      from: { path: '^(src|rest-compat)/', pathNot: '^src/(storage|connectors/providers/s3)/' },
      to: { path: 'node_modules/@aws-sdk/' },
    },
    {
      name: 'http-at-the-edges-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(api/|server\\.ts)' },
      to: { path: 'node_modules/(fastify|@fastify|@as-integrations|ws|graphql-ws)/' },
    },
    ...featureOrder,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
