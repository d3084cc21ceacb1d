import { setTimeout } from 'node:timers/promises';
import { Account } from './accounts/account.entity.js';
import { ApiKey } from './accounts/api-key.entity.js';
import { createFeatures } from './app-features.js';
import type { Features } from './app-features.js';
import { createGroundwork } from './app-groundwork.js';
import type { AppOverrides, Groundwork } from './app-groundwork.js';
import { createJobs } from './app-jobs.js';
import { servicesOf } from './app-services.js';
import type { Services } from './app-services.js';
import type { Config } from './config.js';
import { checkConnectorSettings } from './connectors/connector-settings.js';
import type { Provider } from './connectors/provider.js';
import { PROVIDERS } from './connectors/providers.js';
import { Collection } from './databases/collection.entity.js';
import { Database } from './databases/database.entity.js';
import type { Job } from './jobs/define-job.js';
import { createJobRunner } from './jobs/runner.js';
import type { JobRunner } from './jobs/runner.js';
import { makeDataDirectory } from './lib/data-directory.js';
import { createLogger } from './lib/logger.js';
import type { Logger } from './lib/logger.js';
import { UnopenableSecretError } from './lib/secret-box.js';
import { StartupError } from './lib/startup-error.js';
import { openPostgres } from './postgres/postgres.js';
import type { Postgres } from './postgres/postgres.js';
import { placeOfOriginals } from './sources/deletion/originals-owner.js';
import type { OriginalsPlace } from './sources/deletion/originals-owner.js';

export interface App {
  readonly config: Config;
  readonly logger: Logger;
  readonly services: Services;
  readonly jobs: JobRunner;
  readonly postgres: Postgres;
  /** What /readyz answers: for each thing that this process needs to serve, whether it is there. */
  readiness(): Promise<Record<string, boolean>>;
  /** Where this process stores original files. */
  placeOfOriginals(): Promise<OriginalsPlace>;
  close(): Promise<void>;
}

const entities = [Account, ApiKey, Database, Collection];
const readinessMsMax = 5000;

/**
 * The composition root: the only place where services are created. @throws StartupError with one clear line
 */
export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const providers = overrides.connectorProviders ?? PROVIDERS;
  makeDataDirectory(config.dataDir);
  await checkConnectorSettings(config.connectors, { providers, logger });
  const postgres = await openPostgres(config, entities);
  try {
    return await composeApp(config, overrides, { postgres, logger, providers });
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

async function composeApp(
  config: Config,
  overrides: AppOverrides,
  opened: { postgres: Postgres; logger: Logger; providers: readonly Provider[] },
): Promise<App> {
  const { postgres, logger } = opened;
  const wake = (job: string) => jobs.wake(job);
  const ground = await createGroundwork(config, overrides, { ...opened, wake });
  const features = await createFeatures(ground);
  const services = servicesOf(features, ground);
  await checkSecrets(services);
  const jobs = await createRunner(config, postgres, { jobs: createJobs(ground, features), logger });
  await services.reembedding.moveFromReplaced();
  await services.reembedding.warnOfOtherModels();
  return {
    config,
    logger,
    jobs,
    postgres,
    services,
    readiness: createReadiness({ postgres, jobs, files: ground.files }),
    placeOfOriginals: () => placeOfOriginals({ ...ground.base, ...ground.files }),
    close: async () => {
      await jobs.stop();
      await closeFeatures(features);
      await closeGroundwork(ground);
      await postgres.close();
    },
  };
}

/** First closes what sends and asks, then what it is answered with. */
async function closeFeatures({
  sources,
  ingestion,
  retrieval,
  connectors,
  webhooks,
}: Features): Promise<void> {
  await webhooks.sender.close();
  await connectors.providerSessions.close();
  await sources.statusFeed.close();
  await retrieval.queryLog.flush();
  ingestion.preparePool.close();
  await retrieval.resident.close();
}

async function closeGroundwork({ models, files, databaseClock }: Groundwork): Promise<void> {
  databaseClock.close();
  await models.embedders.close();
  await models.completer?.close();
  await models.reranker?.close();
  files.originals.close();
}

function createRunner(
  { mongodbUrl, role }: Config,
  { pool, embedded }: Postgres,
  options: { jobs: readonly Job[]; logger: Logger },
): Promise<JobRunner> {
  return createJobRunner({
    ...options,
    backend: mongodbUrl
      ? { kind: 'mongodb', url: mongodbUrl }
      : { kind: 'postgres', pool, notifications: !embedded },
    runsJobs: role !== 'web',
  });
}

/** @throws StartupError when secrets were sealed with a key that this process does not have */
async function checkSecrets({ webhooks, connectors }: Services): Promise<void> {
  try {
    await webhooks.checkSecrets();
    await connectors.checkSecrets();
  } catch (error) {
    if (error instanceof UnopenableSecretError) throw new StartupError(`configuration: ${error.message}`);
    throw error;
  }
}

/** Of the files only what this process alone may lack: when a bucket is away, another process cannot do more. */
function createReadiness({
  postgres: { dataSource },
  jobs,
  files: { uploads, originals },
}: {
  postgres: Postgres;
  jobs: JobRunner;
  files: Groundwork['files'];
}): () => Promise<Record<string, boolean>> {
  const checks: Record<string, () => Promise<boolean>> = {
    database: answersSoon(() => dataSource.query('select 1')),
    migrations: answersSoon(() => dataSource.showMigrations().then((pending) => !pending)),
    jobs: answersSoon(() => jobs.ready()),
    files: answersSoon(async () => {
      await uploads.checkWritable();
      if (!originals.isShared) await originals.probe();
    }),
  };
  return async () => {
    const ready = Object.entries(checks).map(async ([name, check]) => [name, await check()] as const);
    return Object.fromEntries(await Promise.all(ready));
  };
}

/**
 * Tells whether a dependency answers, and does not wait long for one that hangs. That one keeps a connection of the pool,
 * or one of the four threads that read files: so one check is under way, however many ask.
 */
function answersSoon(check: () => Promise<unknown>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  const ask = () =>
    check()
      .then(
        (result) => result !== false,
        () => false,
      )
      .finally(() => (answer = undefined));
  return () => Promise.race([(answer ??= ask()), setTimeout(readinessMsMax, false, { ref: false })]);
}
