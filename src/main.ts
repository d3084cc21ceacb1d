import { setFlagsFromString } from 'node:v8';
import { readConfig } from './config.js';
import { ignoredVariables } from './ignored-variables.js';
import { reasonOf } from './lib/reason-of.js';

// How much of a function V8 runs before compiling it: a seventh of the default of Node 20. Code that serves
// requests takes some thousand runs to become fast; this way it does so within the first minutes, whose
// requests take 3 to 8 % less time. Later ones take no longer.
const interruptBudget = '--interrupt-budget=10000';

// Requests have ten seconds, and jobs five beside them; whatever takes longer is waiting in vain. Kubernetes
// kills after thirty.
const stopMsMax = 25_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  // Imported only now: it takes seconds, and a bad variable should be reported at once.
  const { startServer } = await import('./server.js');
  const running = await startServer(config);
  // Not earlier: code that only starts the server is not worth compiling.
  setFlagsFromString(interruptBudget);
  const { logger, postgres } = running.app;
  for (const { variable, reason } of ignoredVariables(process.env))
    logger.warn({ variable, reason }, 'a variable is ignored');
  logger.info(
    { url: running.url, role: config.role, postgres: postgres.embedded ? 'embedded' : 'native' },
    'serving',
  );
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.fatal({ afterMs: stopMsMax }, 'stopping takes too long');
      process.exit(1);
    }, stopMsMax).unref();
    void running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  void postgres.failed.then((error) => {
    if (stopping) return;
    logger.fatal({ err: error }, 'embedded Postgres died');
    process.exit(1);
  });
}

/** Prints one clear line about why the server did not start, and exits with code 1. */
function exitWithReason(error: unknown): void {
  const reason = reasonOf(error);
  process.stderr.write(`contexture cannot start: ${reason.replaceAll('\n', ' ')}\n`);
  process.exit(1);
}

main().catch(exitWithReason);
