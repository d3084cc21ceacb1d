import type { DataSource } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import type { Embedder } from '../inference/embedder.js';
import type { Wake } from '../jobs/define-job.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { query } from '../postgres/query.js';
import type { Database } from './database.entity.js';
import { checkReady, databaseNotFound } from './databases.service.js';
import type { DatabasesService } from './databases.service.js';
import type { CorpusProgress, ReembeddingState } from './reembedding.js';

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

  /** Logs which databases have vectors of other models, and so are to be moved with reembedDatabase. */
  async warnOfOtherModels(): Promise<void> {
    const { postgres, logger, embedder } = this.options;
    const { model, dimensions } = embedder;
    const others = await query<{ storedModel: string; storedDimensions: number; databases: number }>(
      postgres.manager,
      `select embedding_model as "storedModel", vector_dimensions as "storedDimensions", count(*)::int as databases
         from databases where status = 'ready' and (embedding_model <> $1 or vector_dimensions <> $2) group by 1, 2`,
      [model, dimensions],
    );
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
    const { postgres, databases, wake, clock } = this.options;
    const whole = await databases.findWhole(caller, name, 'embedding a database anew');
    checkReady(whole);
    const { id } = whole;
    const { model, dimensions } = this.options.embedder;
    const now = clock.now();
    const state: Omit<ReembeddingState, 'generation'> = {
      model,
      dimensions,
      step: 'tables',
      total: 0,
      done: 0,
      progress: { knowledge: nothingDone, memory: nothingDone },
      valuesUpTo: '0',
      startedAt: now.toISOString(),
      switchedAt: null,
      error: '',
    };
    // The number of a generation is never used twice: its tables may hold vectors of a model that was given
    // up.
    await query(
      postgres.manager,
      `update databases d
          set reembedding = $2::jsonb || jsonb_build_object('generation',
                greatest(d.vector_generation, coalesce((d.reembedding ->> 'generation')::int, 0)) + 1),
              reembedding_due_at = $3
        where d.id = $1 and d.status = 'ready'
          and (d.reembedding is null or d.reembedding ->> 'step' = 'cleanup'
               or d.reembedding ->> 'model' <> $4 or (d.reembedding ->> 'dimensions')::int <> $5)`,
      [id, JSON.stringify(state), now, model, dimensions],
    );
    wake('reembed-databases');
    const found = await databases.find(caller, name);
    if (found.id !== id) throw databaseNotFound(name);
    return found;
  }
}
