import type { DataSource } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import type { Embedder } from '../inference/embedder.js';
import type { Wake } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import type { Database } from './database.entity.js';
import { checkReady, databaseNotFound } from './databases.service.js';
import type { DatabasesService } from './databases.service.js';
import type { CorpusProgress, ReembeddingState } from './reembedding.js';
import { beginMove, beginMovesFrom, countOfOtherModels } from './reembedding.queries.js';

interface ReembeddingOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The configured one: databases are moved to its model. */
  readonly embedder: Embedder;
  readonly databases: DatabasesService;
  readonly wake: Wake;
}

const nothingDone: CorpusProgress = { upTo: 0, bound: 0, newest: null };

/** Begins to re-embed databases; the job `reembed-databases` does the work. */
export class ReembeddingService {
  constructor(private readonly options: ReembeddingOptions) {}

  /** Begins to move the databases of models that the one of this server replaces. */
  async moveFromReplaced(): Promise<void> {
    const { postgres, logger, embedder, wake } = this.options;
    const { model, replaces = [] } = embedder;
    const databases = replaces.length === 0 ? 0 : await beginMovesFrom(postgres, replaces, this.newMove());
    if (databases === 0) return;
    logger.info(
      { databases, model },
      'databases of an earlier version of this embedding model are moved to it',
    );
    wake('reembed-databases');
  }

  /** Logs which databases have vectors of other models, and so are to be moved with reembedDatabase. */
  async warnOfOtherModels(): Promise<void> {
    const { postgres, logger, embedder } = this.options;
    const { model, dimensions } = embedder;
    const others = await countOfOtherModels(postgres, { model, dimensions });
    for (const other of others)
      logger.warn(
        { ...other, model, dimensions },
        'databases of another embedding model; see reembedDatabase',
      );
  }

  /**
   * Moves a database to the model of this server. A move to that model that is under way goes on; one to
   * another model begins anew. @throws AppError DATABASE_NOT_FOUND, TENANT_INFRA_NOT_READY
   */
  async begin(caller: Caller, name: string): Promise<Database> {
    const { postgres, databases, wake } = this.options;
    const whole = await databases.findWhole(caller, name, 'embedding a database anew');
    checkReady(whole);
    const { id } = whole;
    await beginMove(postgres, id, this.newMove());
    wake('reembed-databases');
    const found = await databases.find(caller, name);
    if (found.id !== id) throw databaseNotFound(name);
    return found;
  }

  private newMove(): { state: Omit<ReembeddingState, 'generation'>; now: Date } {
    const { model, dimensions } = this.options.embedder;
    const now = this.options.clock.now();
    const state = {
      model,
      dimensions,
      step: 'tables' as const,
      total: 0,
      done: 0,
      progress: { knowledge: nothingDone, memory: nothingDone },
      valuesUpTo: '0',
      startedAt: now.toISOString(),
      switchedAt: null,
      error: '',
    };
    return { state, now };
  }
}
