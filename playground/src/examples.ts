/** An operation that the playground opens in a tab. No imports here: a test checks each against the schema. */
export interface Example {
  query: string;
  variables: Record<string, unknown>;
}

const database = 'playground';

const CREATE_DATABASE = `# 1. Create a database
# Everything you store lives in a database.
# Press the play button or Ctrl-Enter to make
# one; its name is in the Variables pane below.

mutation CreateDatabase($database: String!) {
  createDatabase(input: { database: $database }) {
    database
    status
    message
  }
}
`;

const IS_IT_READY = `# 2. Is it ready?
# A new database is set up in the background.
# Repeat this until readyForIngestion is true.

query IsItReady($database: String!) {
  database(database: $database) {
    database
    status
    infra {
      readyForIngestion
      schedulerStatus
      graphStatus
      vectorstoreStatus {
        knowledge
        memories
      }
    }
  }
}
`;

const ADD_MEMORIES = `# 3. Add memories
# Hands in three short texts and answers at
# once; they are indexed in the background.
# Run again, it replaces them: their ids are
# given. Files need a multipart request, which
# this page does not send: try it at /docs.

mutation AddMemories($input: IngestInput!) {
  ingest(input: $input) {
    success
    results {
      id
      status
      error
      errorCode
    }
  }
}
`;

const INDEXING_STATUS = `# 4. Indexing status
# Goes from queued over processing and
# graph_creation to completed. Repeat this
# until all three are there.

query IndexingStatus(
  $database: String!
  $ids: [String!]!
) {
  indexingStatus(database: $database, ids: $ids) {
    statuses {
      id
      indexingStatus
      errorCode
      errorMessage
      updatedAt
    }
  }
}
`;

const ASK = `# 5. Ask
# Finds what answers a question, best first,
# by meaning and by words. The question is in
# the Variables pane.

query Ask($database: String!, $query: String!) {
  search(
    database: $database
    query: $query
    type: all
    maxResults: 5
  ) {
    chunks {
      id
      chunkContent
      relevancyScore
      sourceTitle
      sourceType
    }
  }
}
`;

const GRAPH = `# 6. The graph
# What the texts state about people, companies,
# places and other entities, newest first.

query Graph($database: String!) {
  relations(database: $database, type: memory) {
    relations {
      source {
        name
        type
      }
      relations {
        canonicalPredicate
        context
      }
      target {
        name
        type
      }
    }
  }
}
`;

const WATCH_INDEXING = `# 7. Watch indexing
# Shows each change of state as it happens.
# Start it here, then run AddMemories in a
# second browser window: leaving this tab ends
# it, as does the stop button.

subscription WatchIndexing($database: String!) {
  indexingStatusChanged(database: $database) {
    id
    indexingStatus
    errorCode
  }
}
`;

const STATS_AND_COLLECTIONS = `# 8. Stats and collections
# How many chunks the database holds, and its
# collections.

query StatsAndCollections($database: String!) {
  databaseStats(database: $database) {
    knowledgeCollection {
      rowCount
    }
    memoryCollection {
      rowCount
    }
  }
  collections(database: $database) {
    nodes {
      collection
    }
  }
}
`;

const DELETE = `# 9. Delete
# Removes the memories by their ids, at once.
# deleteDatabase(database: $database) would
# remove the database with all that is in it.

mutation DeleteMemories(
  $database: String!
  $ids: [String!]!
) {
  deleteSources(
    database: $database
    type: memory
    ids: $ids
  ) {
    deletedCount
    results {
      id
      deleted
      error
    }
  }
}
`;

const memories = [
  {
    id: 'm1',
    title: 'Coffee',
    text: 'Ana prefers her coffee black, without sugar, before ten in the morning.',
  },
  {
    id: 'm2',
    title: 'Lisbon office',
    text: 'Ana works for Contora and leads its Lisbon office, which opens on the third of March.',
  },
  { id: 'm3', title: 'Travel', text: 'Ana travels by train whenever the trip takes less than six hours.' },
];

const ids = memories.map(({ id }) => id);

/** In the order in which a newcomer needs them; the tab shows the operation's name. */
export const EXAMPLES: Example[] = [
  { query: CREATE_DATABASE, variables: { database } },
  { query: IS_IT_READY, variables: { database } },
  {
    query: ADD_MEMORIES,
    variables: { input: { database, type: 'memory', memories } },
  },
  {
    query: INDEXING_STATUS,
    variables: { database, ids },
  },
  { query: ASK, variables: { database, query: 'When does the Lisbon office open?' } },
  { query: GRAPH, variables: { database } },
  { query: WATCH_INDEXING, variables: { database } },
  { query: STATS_AND_COLLECTIONS, variables: { database } },
  { query: DELETE, variables: { database, ids } },
];
