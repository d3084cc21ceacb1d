import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { readConfig } from '../src/config.js';
import type { Embedder } from '../src/inference/embedder.js';
import { createEmbedder } from '../src/inference/embedders.js';
import { StatementWatch } from '../src/postgres/statement-watch.js';
import type { WatchedStatement } from '../src/postgres/statement-watch.js';
import { exactRowsMaxDefault } from '../src/postgres/vector-index.js';
import type { VectorIndex } from '../src/postgres/vector-index.js';
import { searchIndexed } from '../src/retrieval/lanes/indexed-dense.queries.js';
import { searchKeywords } from '../src/retrieval/lanes/keyword-lane.queries.js';
import { buildKeywordQuery } from '../src/retrieval/lanes/keyword-query.js';
import { findTermStatistics, searchDense } from '../src/retrieval/lanes/lanes.queries.js';
import type { SearchScope } from '../src/retrieval/search-scope.js';
import { timed } from './measuring.js';
import type { BenchServer } from './server.js';

// How deep a query for ten chunks reads its lanes.
const laneDepth = 50;

/** Milliseconds that Postgres takes for the lanes of one query, asked through pg alone. */
export interface BareTimes {
  readonly keyword: number;
  readonly dense: number;
  /** Both at once, on a connection each. */
  readonly fused: number;
}

/** The statements of one query. */
export interface BareQuery {
  readonly keyword: readonly WatchedStatement[];
  readonly dense: readonly WatchedStatement[];
}

/** Runs the statements that the server makes for the keyword and the dense lane, without the server. */
export class BareLanes {
  private constructor(
    private readonly parts: {
      readonly dataSource: DataSource;
      readonly embedder: Embedder;
      readonly clients: readonly [pg.Client, pg.Client];
      readonly scope: SearchScope;
    },
  ) {}

  /** For the memories of the only database of a server. */
  static async open(server: BenchServer): Promise<BareLanes> {
    const dataSource = await server.openDataSource();
    const [store] = await dataSource.query<{ databaseId: number; collectionId: number }[]>(
      `select database_id as "databaseId", id as "collectionId" from collections`,
    );
    if (!store) throw new Error('the server has no collection');
    const [vectorIndex] = await dataSource.query<VectorIndex[]>(
      `select corpus, indexed_up_to as "indexedUpTo", wide_collections as "wideCollections", candidates
         from vector_indexes`,
    );
    const scope: SearchScope = {
      store: { databaseId: store.databaseId, corpus: 'memory', generation: 0 },
      vectorIndex,
      collectionIds: [store.collectionId],
      sourceIds: null,
      conditions: [],
      readers: null,
      hidesItems: false,
      hasFacts: false,
      now: new Date(),
    };
    const embedder = await createEmbedder(readConfig(process.env));
    const clients = [await server.connect(), await server.connect()] as const;
    return new BareLanes({ dataSource, embedder, clients: [...clients], scope });
  }

  async close(): Promise<void> {
    for (const client of this.parts.clients) await client.end();
    await this.parts.dataSource.destroy();
    await this.parts.embedder.close();
  }

  /** Finds the statements that a query makes by running it, so this is done well before they are timed. */
  async prepare(query: string): Promise<BareQuery> {
    const vector = await this.parts.embedder.embedQuery(query);
    return {
      keyword: await this.statementsOf(() => this.searchKeywords(query)),
      dense: await this.statementsOf(() => this.searchDense(vector)),
    };
  }

  async time({ keyword, dense }: BareQuery): Promise<BareTimes> {
    const [one, other] = this.parts.clients;
    return {
      keyword: await timed(() => run(one, keyword)),
      dense: await timed(() => run(one, dense)),
      fused: await timed(() => Promise.all([run(one, keyword), run(other, dense)])),
    };
  }

  private async statementsOf(search: () => Promise<unknown>): Promise<readonly WatchedStatement[]> {
    const watch = new StatementWatch();
    await watch.run(search);
    return watch.statements;
  }

  private async searchKeywords(query: string): Promise<void> {
    const { dataSource, scope } = this.parts;
    const here = new Map<number, number>();
    const lookUp = async (terms: readonly number[]) => {
      const found = await findTermStatistics(dataSource, scope, terms);
      for (const [term, amount] of found.frequencies) here.set(term, amount);
      return found;
    };
    const mayHold = (terms: readonly number[]) => Promise.resolve(terms);
    const keywords = await buildKeywordQuery(query, { lookUp, mayHold, here });
    if (keywords) await searchKeywords(dataSource, scope, { ...keywords, limit: laneDepth });
  }

  private async searchDense(vector: Float32Array): Promise<void> {
    const { dataSource, scope } = this.parts;
    const search = { vector, limit: laneDepth };
    const { vectorIndex: index } = scope;
    if (!index) await searchDense(dataSource, scope, { ...search, after: 0 });
    else await searchIndexed(dataSource, scope, { ...search, index, exactRowsMax: exactRowsMaxDefault });
  }
}

async function run(client: pg.Client, statements: readonly WatchedStatement[]): Promise<void> {
  for (const { sql, parameters, settings } of statements) {
    if (settings.length > 0) await client.query('begin');
    for (const setting of settings) await client.query(setting);
    await client.query(sql, [...parameters]);
    if (settings.length > 0) await client.query('commit');
  }
}
