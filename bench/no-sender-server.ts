// The server without anybody who sends webhooks, so that what is measured is the writing of deliveries.
import { readConfig } from '../src/config.js';
import { startServer } from '../src/server.js';

const running = await startServer(readConfig(process.env), { webhooks: { attemptsMax: 0 } });
running.app.logger.info({ url: running.url }, 'serving');
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)));
