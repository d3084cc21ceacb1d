/** Every limit of the API; names end in their unit. */
export const LIMITS = {
  headerBytesMax: 65_536,
  idempotencyKeyCharactersMax: 255,
  apiKeyNameCharactersMax: 255,
  apiKeyListValuesMax: 1000,
  databaseNameCharactersMax: 255,
  collectionNameCharactersMax: 255,
  schemaFieldsMax: 32,
  schemaFieldNameCharactersMax: 255,
  schemaVectorFieldsMax: 6,
  varcharLengthDefault: 1024,
  varcharLengthMax: 65_535,
  embeddingsDimensionDefault: 1536,
  embeddingsDimensionMax: 4000,
  itemIdBytesMax: 512,
  itemsPerRequestMax: 1000,
  filesPerRequestMax: 200,
  fileBytesMax: 52_428_800,
  formFieldBytesMax: 33_554_432,
  formTextBytesMax: 67_108_864,
  jsonBodyBytesMax: 33_554_432,
  aclPrincipalsMax: 1000,
  aclPrincipalCharactersMax: 256,
  metadataBytesMax: 16_384,
  additionalMetadataBytesMax: 1024,
  /** How deep objects and lists may nest in the metadata of an edit, counting the object itself. */
  metadataNestingMax: 8,
  evidenceCharactersMax: 256,
  relationsPerItemMax: 500,
  relationPropertiesBytesMax: 4096,
  graphEntitiesMax: 5000,
  graphRelationsMax: 10_000,
  graphRelationsPerEntityMax: 500,
  graphNameCharactersMax: 256,
  /** Of an entity that a model found. */
  graphAliasesMax: 20,
  graphContextCharactersMax: 2000,
  /** Of an item, read for entities and relations. */
  graphExtractionCharactersMax: 1_000_000,
  graphMentionsPerChunkMax: 300,
  graphRelationsPerChunkMax: 100,
  /** Ten years. */
  expirySecondsMax: 315_360_000,
  userNameCharactersMax: 256,
  titleCharactersMax: 1000,
  descriptionCharactersMax: 10_000,
  urlCharactersMax: 4096,
  /** Names, states and other short values of app items. */
  appValueCharactersMax: 1000,
  /** Ids of other applications. */
  appIdBytesMax: 512,
  appFieldValuesMax: 1000,
  appAttachmentsMax: 200,
  appCommentsMax: 1000,
  /** Of free-form objects inside an app item, as compact JSON. */
  appObjectBytesMax: 65_536,
  customInstructionsCharactersMax: 4000,
  /** Characters of an item in which facts are looked for, and facts that are kept. */
  inferredCharactersMax: 1_000_000,
  factsPerItemMax: 500,
  statusIdsMax: 1000,
  queryCharactersMax: 32_768,
  queryResultsDefault: 10,
  queryResultsMax: 250,
  queryCollectionsMax: 100,
  queryIdsMax: 1000,
  queryContextCharactersMax: 32_768,
  /** Neighbours of each hit. */
  relatedChunksMax: 20,
  /** Chunks of a store that have all words of a phrase and are searched for the words in a row. */
  phraseCandidatesMax: 10_000,
  filterBytesMax: 65_536,
  filterListValuesMax: 500,
  filterConditionsMax: 1000,
  /** How deep $and, $or and $not may nest. */
  filterDepthMax: 8,
  feedbackCharactersMax: 8000,
  feedbackSourceIdsMax: 100,
  feedbackMetadataMax: 20,
  feedbackMetadataCharactersMax: 1024,
  /** Of an account. */
  feedbackPerMinuteMax: 100,
  listIdsMax: 100,
  listPageSizeDefault: 50,
  listPageSizeMax: 100,
  /** Comments shown of an item when threads are grouped. */
  listCommentsMax: 100,
  deleteIdsMax: 1000,
  chunksDefault: 50,
  chunksMax: 1000,
  contentUrlSecondsDefault: 3600,
  contentUrlSecondsMin: 60,
  /** A week. */
  contentUrlSecondsMax: 604_800,
  signingSecretCharactersMin: 16,
  signingSecretCharactersMax: 1024,
  connectorNameCharactersMax: 255,
  providerAccountScopeCharactersMax: 255,
  syncIntervalSecondsDefault: 3600,
  syncIntervalSecondsMin: 300,
  /** A week. */
  syncIntervalSecondsMax: 604_800,
  firstSyncSeconds: 300,
  syncErrorCharactersMax: 1000,
  /** Configured in one request; the other limit is for a connector. */
  resourcesPerRequestMax: 500,
  resourcesPerConnectorMax: 5000,
  resourceIdCharactersMax: 512,
  resourceNameCharactersMax: 1000,
  /** Leaves room for what connectors add. */
  resourceAdditionalMetadataBytesMax: 512,
  lookbackDaysDefault: 30,
  lookbackDaysMax: 3650,
  discoveredDefault: 50,
  discoveredMax: 100,
  discoverCursorCharactersMax: 65_536,
  deliveriesDefault: 50,
  deliveriesMax: 100,
  /** Groups of relations a page. */
  relationsMax: 10_000,
  /** The default of GraphQL; that of REST stands in its operation. */
  relationsGraphqlDefault: 500,
  /** Groups of structure beside a page of relations or a subgraph. */
  relationsAuxiliaryMax: 1000,
  /** Of an item in a list. */
  relationsOfListedMax: 50,
  /** Entities that a query may name, and paths that are found from them. */
  queryEntitiesMax: 8,
  queryPathsMax: 20,
  /** Characters of a query that a language model reads, and of its answer that is searched. */
  rewrittenCharactersMax: 4000,
  subQueriesMax: 4,
  subQueryCharactersMax: 400,
  /** Chunks that a reranker ranks, and characters that it reads of each. */
  rerankedChunksMax: 50,
  rerankedCharactersMax: 2000,
  /** Groups of relations shown beside the chunks of a query: per chunk, per item, in all. */
  relationsOfChunkMax: 5,
  relationsOfFoundItemMax: 5,
  relationsOfFoundMax: 60,
  /** Groups of a chunk, and links of an item, among which those that fit the query best are chosen. */
  relationsOfFoundReadMax: 20,
  /** Relations of such a group. */
  relationsOfGroupMax: 5,
  /** Chunks that one path names. */
  pathChunksMax: 10,
  /** Of a relation's context in the text of a path. */
  pathContextCharactersMax: 400,
  subgraphDepthDefault: 5,
  subgraphDepthMax: 10,
  subgraphSourcesDefault: 200,
  subgraphSourcesMax: 1000,
  entityIdsMax: 100,
  /** Relations that follow one another in a path. */
  pathLengthDefault: 4,
  pathLengthMax: 6,
  pathsDefault: 5,
  pathsMax: 20,
  pageSizeDefault: 100,
  pageSizeMax: 1000,
  /** How deep JSON values nest, and brackets and selections of a GraphQL document. */
  nestingMax: 64,
  graphqlDocumentCharactersMax: 262_144,
  graphqlTokensMax: 5000,
  graphqlDirectivesMax: 50,
  graphqlRootFieldsMax: 20,
  /** On one WebSocket at a time. */
  graphqlOperationsPerSocketMax: 100,
  graphqlAliasesMax: 100,
  /** Counted with fragments spread. */
  graphqlFieldsMax: 1000,
  graphqlDepthMax: 10,
  /** Below __schema or __type: as deep as the introspection query of graphql-js. */
  graphqlIntrospectionDepthMax: 15,
  /**
   * Room for six full searches of 250 results, two with 20 neighbours of each, or one list of 1000 items with
   * all fields.
   */
  graphqlCostMax: 150_000,
  /** What a row of a list costs in addition to its fields. */
  graphqlRowCost: 50,
  /**
   * The same for a group of relations, which is small and stored as it is shown: nine fields of 10,000 groups
   * fit.
   */
  graphqlRelationGroupCost: 5,
  /** The same for a neighbour of a row. */
  graphqlAddedRowCost: 10,
} as const;
