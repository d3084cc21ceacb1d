/** Every bound of the API in one place; units last. */
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
  /** Objects and lists in one another in metadata of an edit, the map itself included. */
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
  /** Chunks with all words of a phrase, of a store, that are looked at for the words in a row. */
  phraseCandidatesMax: 10_000,
  filterBytesMax: 65_536,
  filterListValuesMax: 500,
  filterConditionsMax: 1000,
  /** $and, $or and $not in one another. */
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
  /** Shown of an item when threads are grouped. */
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
  /** Configured at once, and together. */
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
  relationsDefault: 5000,
  relationsMax: 10_000,
  /** A page that GraphQL returns when nobody says how long. */
  relationsGraphqlDefault: 500,
  /** Groups of structure beside a page of relations or a subgraph. */
  relationsAuxiliaryMax: 1000,
  /** Of an item in a list. */
  relationsOfListedMax: 50,
  /** Entities that a query may name, and paths from them. */
  queryEntitiesMax: 8,
  queryPathsMax: 20,
  /** What a language model reads of a query, and what is searched of its answer. */
  rewrittenCharactersMax: 4000,
  subQueriesMax: 4,
  subQueryCharactersMax: 400,
  /** Chunks that a reranker puts in order, and what it reads of each. */
  rerankedChunksMax: 50,
  rerankedCharactersMax: 2000,
  /** Groups of relations beside the chunks that a query finds: of a chunk, of an item, together. */
  relationsOfChunkMax: 5,
  relationsOfFoundItemMax: 5,
  relationsOfFoundMax: 60,
  /** Relations of such a group. */
  relationsOfGroupMax: 5,
  /** Chunks that one path names. */
  pathChunksMax: 10,
  /** Of one relation's context in the text of a path. */
  pathContextCharactersMax: 400,
  subgraphDepthDefault: 5,
  subgraphDepthMax: 10,
  subgraphSourcesDefault: 200,
  subgraphSourcesMax: 1000,
  entityIdsMax: 100,
  /** Relations in a row. */
  pathLengthDefault: 4,
  pathLengthMax: 6,
  pathsDefault: 5,
  pathsMax: 20,
  pageSizeDefault: 100,
  pageSizeMax: 1000,
  /** JSON values; brackets and selections of a GraphQL document. */
  nestingMax: 64,
  graphqlDocumentCharactersMax: 262_144,
  graphqlTokensMax: 5000,
  graphqlDirectivesMax: 50,
  graphqlRootFieldsMax: 20,
  /** On one WebSocket at a time. */
  graphqlOperationsPerSocketMax: 100,
  graphqlAliasesMax: 100,
  /** After fragments are spread. */
  graphqlFieldsMax: 1000,
  graphqlDepthMax: 10,
  /** From __schema or __type down: what the introspection query of graphql-js needs. */
  graphqlIntrospectionDepthMax: 15,
  /** Six full searches of 250 results, two with 20 neighbours of each, or one list of 1000 with all of its fields. */
  graphqlCostMax: 150_000,
  /** What a row of a list costs beside its fields. */
  graphqlRowCost: 50,
  /** The same of a group of relations, which is small and stored as it is shown: 10,000 have room for nine fields of each. */
  graphqlRelationGroupCost: 5,
  /** The same of a neighbour of a row. */
  graphqlAddedRowCost: 10,
} as const;
