import type { Caller } from '../accounts/caller.js';
import type { CollectionsService } from '../databases/collections.service.js';
import type { DatabaseScope } from '../databases/database-scope.js';
import { noteRead } from '../lib/background.js';
import type { QueryLog } from './query-log.js';
import { explainSearch } from './search-explain.js';
import { SearchLanes } from './search-lanes.js';
import type { SearchLanesOptions } from './search-lanes.js';
import { readCollections, readSearchRequest } from './search-request.js';
import type { SearchRequest } from './search-request.js';
import { nothingFound, toResult } from './search-result.js';
import type { Found } from './search-result.js';
import { SearchRun } from './search-run.js';
import type { SearchRunOptions } from './search-run.js';
import { SearchTrace } from './search-trace.js';
import type { SearchArgs } from './search-args.types.js';
import type { SearchResult } from './search.types.js';

interface SearchOptions extends SearchLanesOptions, Omit<SearchRunOptions, 'lanes'> {
  readonly collections: CollectionsService;
  readonly queryLog: QueryLog;
}

/** Retrieval: every lane ranks chunks, fusion merges them, and what is read decides the final order. */
export class SearchService {
  private readonly lanes: SearchLanes;

  constructor(private readonly options: SearchOptions) {
    this.lanes = new SearchLanes(options);
  }

  /**
   * Answers a query and logs it under `queryId`. Finding nothing is an empty answer, no error. @throws
   * AppError for arguments that are not valid, or a database that is not there
   */
  async search(caller: Caller, args: SearchArgs, queryId: string): Promise<SearchResult> {
    noteRead();
    const { collections, clock, queryLog } = this.options;
    const scope = await collections.findReadyScope(caller, args.database, readCollections(args));
    const { database } = scope;
    const request = readSearchRequest(caller, args, { schema: database.metadataSchema, now: clock.now() });
    const answer = await this.answer(scope, request);
    queryLog.add({
      accountId: caller.accountId,
      requestId: queryId,
      databaseId: database.id,
      query: args.query,
      sourceIds: [...new Set(answer.found.map(({ row }) => row.id))],
    });
    return toResult(answer, queryId);
  }

  /** Answers a query like search(), and adds how the answer came about. */
  async explain(caller: Caller, args: SearchArgs, queryId: string): Promise<SearchResult> {
    const trace = new SearchTrace();
    const result = await trace.run(() => this.search(caller, args, queryId));
    return { ...result, explain: await explainSearch(this.options.postgres, trace) };
  }

  private async answer(scope: DatabaseScope, request: SearchRequest): Promise<Found> {
    if (scope.collections.size === 0) return nothingFound();
    return new SearchRun({ ...this.options, lanes: this.lanes }, scope, request).answer();
  }
}
