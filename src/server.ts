import type { FastifyInstance } from 'fastify';
import { answerBrokenRequests, refuseTunnel } from '../rest-compat/broken-request.js';
import { refuseUnknownPaths, registerRestCompat } from '../rest-compat/index.js';
import { serveContent } from './api/content-route.js';
import { registerGraphql } from './api/graphql.js';
import { createHttpServer } from './api/http-server.js';
import { executableSchema } from './api/schema.js';
import { closeHttpServer } from './api/stopping.js';
import { serveSubscriptions } from './api/subscriptions.js';
import { createApp } from './app.js';
import type { App } from './app.js';
import type { AppOverrides } from './app-groundwork.js';
import type { Config } from './config.js';
import { reasonOf } from './lib/reason-of.js';
import { StartupError } from './lib/startup-error.js';

export interface RunningServer {
  readonly app: App;
  /** http://host:port, with the actual port when port 0 was asked for. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts everything that the configured role asks for; jobs begin last. @throws StartupError with one clear
 * line
 */
export async function startServer(
  config: Config,
  overrides: AppOverrides & { runJobs?: boolean } = {},
): Promise<RunningServer> {
  const app = await createApp(config, overrides);
  try {
    const server = createHttpServer(app, answerBrokenRequests(app));
    server.server.on('connect', refuseTunnel);
    // A worker serves only its health checks.
    if (config.role === 'worker') refuseUnknownPaths(server, app);
    const stopServing = config.role === 'worker' ? undefined : await serveApis(server, app);
    const newKey = await app.services.accounts.bootstrap(config.bootstrapApiKey, config.dataDir);
    await checkPlaceOfOriginals(app);
    if (overrides.runJobs ?? true) await app.jobs.start();
    const url = await listen(server, config);
    if (newKey)
      process.stdout.write(`API key (printed once, kept in ${config.dataDir}/api-key): ${newKey}\n`);
    return {
      app,
      url,
      stop: async () => {
        const closed = closeHttpServer(server, stopServing?.());
        // A process without jobs goes on waking those of others for the requests under way.
        if (config.role !== 'web') await app.jobs.stop();
        await closed;
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** @throws StartupError naming the variables that say where to listen */
async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  return server.listen({ host, port }).catch((error: unknown) => {
    throw new StartupError(`cannot listen on ${host} (HOST), port ${port} (PORT): ${reasonOf(error)}`);
  });
}

/** @throws StartupError when files would be stored where the database's other processes do not find them */
async function checkPlaceOfOriginals(app: App): Promise<void> {
  const { role, dataDir } = app.config;
  const place = await app.placeOfOriginals();
  if (place === 'shared') return;
  if (role !== 'all')
    throw new StartupError(
      `ROLE=${role} needs storage that all processes share, and DATA_DIR (${dataDir}) is not where this database keeps its files: share that folder, or set S3_URL`,
    );
  // A server that was moved without its folder has to start all the same: what is searched is in the
  // database.
  if (place === 'apart')
    app.logger.warn(
      `DATA_DIR (${dataDir}) is not where this database keeps its files: originals that were stored there are not found here, and another server on this database loses uploads to this one; share that folder, or set S3_URL`,
    );
}

/** Serves GraphQL, its subscriptions and REST; returns the function that ends the subscriptions. */
async function serveApis(server: FastifyInstance, app: App): Promise<() => Promise<void>> {
  const schema = await executableSchema();
  await registerGraphql(server, app, schema);
  await registerRestCompat(server, app, schema);
  serveContent(server, app);
  const subscriptions = serveSubscriptions(server.server, app, schema);
  app.services.statusFeed.listen();
  return () => subscriptions.dispose();
}
