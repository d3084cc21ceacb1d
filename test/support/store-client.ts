import type { ListedRow, ModelCorpus, ModelEdit, ModelFilter, Place, SentItem } from './naive-store.js';
import type { Answer, TestServer } from './server.js';

/** A word in every text, so that a search for it finds all. */
const commonWord = 'otters';

/** One operation in both APIs. */
interface Operation {
  /** Method and path; names in braces are variables. */
  readonly rest: string;
  readonly graphql: string;
}

const page =
  'totalCount pageInfo { hasNextPage endCursor } page { page total totalPages hasNext hasPrevious }';
const row = 'id metadata additionalMetadata acl indexingStatus';
const listed =
  '$database: String!, $collection: String, $filters: SourceFiltersInput, $acl: [String!], $first: Int, $after: String, $page: Int, $pageSize: Int';
const listing =
  'database: $database, collection: $collection, filters: $filters, acl: $acl, first: $first, after: $after, page: $page, pageSize: $pageSize';
const named = '$database: String!, $collection: String, $type: SourceType';
const naming = 'database: $database, collection: $collection, type: $type';

const operations = {
  ingest: {
    rest: 'POST /context/ingest',
    graphql: 'mutation ($input: IngestInput!) { ingest(input: $input) { results { id status errorCode } } }',
  },
  delete: {
    rest: 'DELETE /context',
    graphql: `mutation (${named}, $ids: [String!]!) { deleteSources(${naming}, ids: $ids) { results { id deleted } } }`,
  },
  edit: {
    rest: 'PATCH /context/{id}/metadata',
    graphql: 'mutation ($input: UpdateSourceMetadataInput!) { updateSourceMetadata(input: $input) { type } }',
  },
  sources: {
    rest: 'POST /context/list',
    graphql: `query (${listed}) { sources(${listing}) { nodes { ${row} } ${page} } }`,
  },
  memories: {
    rest: 'POST /context/list',
    graphql: `query (${listed}) { memories(${listing}) { nodes { ${row} } ${page} } }`,
  },
  content: {
    rest: 'GET /context/inspect',
    graphql: `query (${named}, $id: String!, $acl: [String!]) { sourceContent(${naming}, id: $id, acl: $acl) { content } }`,
  },
  chunks: {
    rest: 'GET /context/chunks',
    graphql: `query (${named}, $id: String, $acl: [String!]) { chunks(${naming}, id: $id, acl: $acl) { chunks { chunkContent } } }`,
  },
  status: {
    rest: 'GET /context/status',
    graphql: `query (${named}, $ids: [String!]!) { indexingStatus(${naming}, ids: $ids) { statuses { id indexingStatus errorCode } } }`,
  },
  search: {
    rest: 'POST /query',
    graphql: `query ($database: String!, $query: String!, $type: SourceType, $collections: JSON, $queryBy: QueryBy, $maxResults: Int, $metadataFilters: JSONObject, $acl: [String!]) {
      search(database: $database, query: $query, type: $type, collections: $collections, queryBy: $queryBy, maxResults: $maxResults, metadataFilters: $metadataFilters, acl: $acl) {
        chunks { id chunkContent sourceType collection } sources { id } } }`,
  },
  stats: {
    rest: 'GET /databases/stats',
    graphql: `query ($database: String!) { databaseStats(database: $database) {
      knowledgeCollection { rowCount } memoryCollection { rowCount } indexing { queued processing graphCreation completed errored } } }`,
  },
} as const satisfies Record<string, Operation>;

const listsOfEach = ['first', 'second']
  .flatMap((name) =>
    ['sources', 'memories'].map(
      (field) =>
        `${name}_${field}: ${field}(database: $database, collection: $${name}, pageSize: 10) { nodes { ${row} } }`,
    ),
  )
  .join(' ');
const everything = `query ($database: String!, $first: String!, $second: String!, $both: JSON!, $query: String!) { ${listsOfEach}
  search(database: $database, query: $query, type: all, collections: $both, queryBy: text, maxResults: 50) {
    chunks { id chunkContent sourceType collection } } }`;

/** Asks a server through one of its APIs, and translates the answers into those of the naive store. */
export class StoreClient {
  constructor(
    private readonly server: TestServer,
    private readonly database: string,
  ) {}

  async ingest(
    place: Place,
    items: readonly SentItem[],
    { upsert, viaGraphql, asFiles }: { upsert: boolean; viaGraphql: boolean; asFiles: boolean },
  ): Promise<[string, string][]> {
    const answer =
      place.corpus === 'knowledge' && asFiles
        ? await this.uploadFiles(place, items, upsert)
        : await this.send('ingest', viaGraphql, {
            input: { collection: place.collection, type: place.corpus, upsert, ...listsOf(place, items) },
          });
    if (answer.status !== 202) throw new Error(`ingest answered ${JSON.stringify(answer.data)}`);
    return answer.data.results.map((result: any) => [result.id, result.error_code ?? result.status]);
  }

  async delete(
    place: Place,
    ids: readonly string[],
    viaGraphql: boolean,
  ): Promise<{ status: number; deleted: string[] }> {
    const { status, data } = await this.send('delete', viaGraphql, { ...scopeOf(place), ids });
    const deleted = data.results.filter((result: any) => result.deleted).map((result: any) => result.id);
    return { status, deleted };
  }

  async edit(
    { collection, type, id }: { collection: string; type: ModelCorpus | undefined; id: string },
    { metadata, additional, acl }: ModelEdit,
    viaGraphql: boolean,
  ): Promise<ModelCorpus | undefined> {
    const input = { collection, type, id, database_metadata: metadata, additional_metadata: additional, acl };
    const { status, data, meta } = await this.send('edit', viaGraphql, { input });
    if (status !== 200 && status !== 404) throw new Error(`edit answered ${status} ${JSON.stringify(data)}`);
    return status === 404 ? undefined : (data.type ?? meta.source_type);
  }

  /** A page of a list. */
  async list(
    { corpus, collection }: Place,
    { readers, metadata, additional }: ModelFilter,
    { page, size, viaGraphql }: { page: number; size: number; viaGraphql: boolean },
  ): Promise<{ rows: ListedRow[]; pagination: unknown }> {
    const filters = { metadata: scalars(metadata), additional_metadata: scalars(additional) };
    const variables = { collection, filters, acl: readers, page, page_size: size };
    const { data } = await this.send(corpus === 'memory' ? 'memories' : 'sources', viaGraphql, {
      ...variables,
      ...(viaGraphql ? {} : { type: corpus }),
    });
    const { total, total_pages, has_next, has_previous } = data.page ?? data.pagination;
    return {
      rows: (data.nodes ?? data.sources ?? data.user_memories).map(toRow),
      pagination: { page: (data.page ?? data.pagination).page, total, total_pages, has_next, has_previous },
    };
  }

  /** All of a list, page after page by their cursors. */
  async walk({ corpus, collection }: Place, filter: ModelFilter, size: number): Promise<ListedRow[]> {
    const filters = { metadata: scalars(filter.metadata), additional_metadata: scalars(filter.additional) };
    const rows: ListedRow[] = [];
    let after: string | undefined;
    do {
      const variables = { collection, filters, acl: filter.readers, first: size, after };
      const { data } = await this.send(corpus === 'memory' ? 'memories' : 'sources', true, variables);
      rows.push(...data.nodes.map(toRow));
      after = data.page_info.has_next_page ? data.page_info.end_cursor : undefined;
    } while (after !== undefined);
    return rows;
  }

  async read(
    place: Place,
    id: string,
    { readers, viaGraphql }: { readers: ModelFilter['readers']; viaGraphql: boolean },
  ): Promise<{ content: string | null; chunks: string[] } | undefined> {
    const variables = { ...scopeOf(place), id, acl: readers };
    const content = await this.send('content', viaGraphql, variables);
    const { status, data } = await this.send('chunks', viaGraphql, variables);
    if (content.status !== status) throw new Error(`inspect answered ${content.status}, chunks ${status}`);
    if (status === 404) return undefined;
    return {
      content: wordOf(content.data.content),
      chunks: data.chunks.map((chunk: any) => wordOf(chunk.chunk_content)),
    };
  }

  /** Statuses by id; an unknown one is undefined. */
  async status(
    { collection, type }: { collection: string; type: ModelCorpus | undefined },
    ids: readonly string[],
    viaGraphql: boolean,
  ): Promise<(string | undefined)[]> {
    const { status, data } = await this.send('status', viaGraphql, { collection, type, ids });
    if (status === 404) return ids.map(() => undefined);
    return data.statuses.map((entry: any) =>
      entry.error_code === 'FILE_NOT_FOUND' ? undefined : entry.indexing_status,
    );
  }

  async search(
    collections: readonly string[],
    { readers, metadata, additional }: ModelFilter,
    { type, byText, viaGraphql }: { type: ModelCorpus | 'all'; byText: boolean; viaGraphql: boolean },
  ): Promise<string[]> {
    const { data } = await this.send('search', viaGraphql, {
      query: commonWord,
      type,
      collections,
      query_by: byText ? 'text' : 'hybrid',
      max_results: 50,
      metadata_filters: { ...anyOf(metadata), additional_metadata: anyOf(additional) },
      acl: readers,
    });
    return foundIn(data);
  }

  async stats(): Promise<unknown> {
    const rest = await this.send('stats', false, {});
    const { data } = await this.send('stats', true, {});
    const { queued, completed, errored } = data.indexing;
    return {
      knowledge: data.knowledge_collection.row_count,
      memory: rest.data.memory_collection.row_count,
      items: { queued, completed, errored },
    };
  }

  /** Everything in two collections: each corpus as it is listed, and what a search finds. */
  async everything(
    collections: readonly [string, string],
  ): Promise<{ lists: ListedRow[][]; found: string[] }> {
    const { body } = await this.server.graphql(everything, {
      database: this.database,
      first: collections[0],
      second: collections[1],
      both: collections,
      query: commonWord,
    });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    const { search, ...lists } = snakeCase(body.data);
    return { lists: Object.values(lists).map((list: any) => list.nodes.map(toRow)), found: foundIn(search) };
  }

  async deleteCollection(collection: string): Promise<void> {
    const json = { database: this.database, collection };
    const answer = await this.server.rest('DELETE', '/databases/collections', { json });
    if (answer.status !== 202) throw new Error(`deleting answered ${JSON.stringify(answer.body)}`);
  }

  private uploadFiles({ collection }: Place, items: readonly SentItem[], upsert: boolean): Promise<Outcome> {
    const form = new FormData();
    const metadata = items.map(({ id, metadata, additional }) => ({
      id,
      metadata,
      additional_metadata: additional,
    }));
    form.append('database', this.database);
    form.append('collection', collection);
    form.append('upsert', String(upsert));
    form.append('document_metadata', JSON.stringify(metadata));
    const [{ acl } = { acl: undefined }] = items;
    if (acl !== undefined) form.append('acl', JSON.stringify(acl ?? []));
    for (const { id, word } of items) form.append('documents', new Blob([textOf(word)]), `${id}.txt`);
    return this.server.rest('POST', '/context/ingest', { form }).then(toOutcome);
  }

  /** Variables are written as REST spells them. */
  private async send(
    name: keyof typeof operations,
    viaGraphql: boolean,
    { input, ...given }: Record<string, unknown>,
  ): Promise<Outcome> {
    const { rest, graphql }: Operation = operations[name];
    const variables = defined({ database: this.database, ...given, ...(input as object) });
    if (viaGraphql) {
      const camel = camelCase(variables);
      const { body } = await this.server.graphql(graphql, input ? { input: camel } : camel);
      const [error] = body.errors ?? [];
      if (error) return { status: error.extensions.httpStatus, data: error.extensions.data, meta: {} };
      const status = name === 'ingest' ? 202 : 200;
      return { status, data: snakeCase(Object.values(body.data)[0]), meta: {} };
    }
    const [method = '', path = ''] = rest.split(' ');
    const route = path.replace('{id}', encodeURIComponent(String(variables['id'])));
    if (method !== 'GET') return toOutcome(await this.server.rest(method, route, { json: variables }));
    const query = new URLSearchParams(
      Object.entries(variables).map(([key, value]): [string, string] => [
        key,
        Array.isArray(value) && key === 'acl' ? JSON.stringify(value) : String(value),
      ]),
    );
    return toOutcome(await this.server.rest(method, `${route}?${query.toString()}`));
  }
}

interface Outcome {
  readonly status: number;
  readonly data: any;
  readonly meta: any;
}

function toOutcome({ status, body }: Answer): Outcome {
  return { status, data: body.data, meta: body.meta };
}

function foundIn({ chunks }: any): string[] {
  return chunks
    .map(
      (chunk: any) => `${chunk.collection}/${chunk.source_type}/${chunk.id} ${wordOf(chunk.chunk_content)}`,
    )
    .toSorted();
}

function scopeOf({ collection, corpus }: Place): Record<string, unknown> {
  return { collection, type: corpus };
}

function textOf(word: string | null): string {
  return word === null ? ' \n' : `${commonWord} ${word}`;
}

function wordOf(text: string | null): string | null {
  return text === null ? null : (/word\w+/.exec(text)?.[0] ?? `no word in ${text}`);
}

function listsOf({ corpus }: Place, items: readonly SentItem[]): Record<string, unknown> {
  const common = ({ id, metadata, additional, acl }: SentItem) =>
    defined({ id, metadata, additional_metadata: additional, acl });
  return corpus === 'memory'
    ? {
        memories: items.map((item) =>
          defined({ ...common(item), text: textOf(item.word), expiry_time: item.expirySeconds }),
        ),
      }
    : { app_knowledge: items.map((item) => ({ ...common(item), content: { text: textOf(item.word) } })) };
}

function toRow(row: any): ListedRow {
  const { id, metadata, additional_metadata: additional, acl, indexing_status: status } = row;
  return { id, metadata, additional, acl, status };
}

function scalars(filter: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filter).map(([key, [value]]) => [key, value]));
}

function anyOf(filter: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filter).map(([key, values]) => [key, values.length === 1 ? values[0] : values]),
  );
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The names of fields, in another spelling; what callers store keeps its own. */
function respell(value: unknown, spell: (name: string) => string): any {
  if (Array.isArray(value)) return value.map((each) => respell(each, spell));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [spell(name), respell(inner, spell)]),
  );
}

function camelCase({ metadata_filters, ...variables }: Record<string, unknown>): any {
  const camel = respell(variables, (name) =>
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  return metadata_filters === undefined ? camel : { ...camel, metadataFilters: metadata_filters };
}

function snakeCase(value: unknown): any {
  return respell(value, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
