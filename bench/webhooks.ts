// What writing deliveries costs indexing: texts searchable a second with a webhook and without, in turn on one server whose
// senders are off. npm run bench:webhooks [-- texts a round [pairs]]; DATABASE_URL chooses a native Postgres, else the embedded one.
import { describeMachine, percentile, timed } from './measuring.js';
import { BenchServer } from './server.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

// Short pairs: a machine's slow phases then fall on both of a pair.
const count = Number(process.argv[2] ?? 1000);
const pairs = Number(process.argv[3] ?? 60);
const webhook = { url: 'https://8.8.8.8/events', generate_signing_secret: true };

console.log(describeMachine());
const server = await BenchServer.start('bench/no-sender-server.js');
try {
  const text = new SyntheticText(randomNumbers(5));
  const postgres = await server.connect();
  const round = async (name: string) => {
    await server.createDatabase(name);
    const before = await server.processorMilliseconds();
    const milliseconds = await timed(() => server.remember(name, text, { count }));
    return { milliseconds, processor: (await server.processorMilliseconds()) - before };
  };
  await round('warm-up');
  const ratios: number[] = [];
  // Of the server and its Postgres: what neighbours on the machine hardly change.
  const processorRatios: number[] = [];
  const speeds: [number, number][] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const told = async () => {
      await server.call('POST', '/webhooks/indexing', webhook);
      const measured = await round(`told-${pair}`);
      // Nothing is left that would be given up during the next round.
      await postgres.query('truncate webhook_deliveries');
      await server.call('DELETE', '/webhooks/indexing');
      return measured;
    };
    // Each goes first as often as the other.
    const first = pair % 2 === 0 ? await told() : await round(`quiet-${pair}`);
    const second = pair % 2 === 0 ? await round(`quiet-${pair}`) : await told();
    const [withWebhook, without] = pair % 2 === 0 ? [first, second] : [second, first];
    ratios.push(withWebhook.milliseconds / without.milliseconds);
    processorRatios.push(withWebhook.processor / without.processor);
    speeds.push([count / (withWebhook.milliseconds / 1000), count / (without.milliseconds / 1000)]);
  }
  for (const [index, [withWebhook, without]] of speeds.entries()) {
    console.log(
      `${withWebhook.toFixed(0)}/s with a webhook, ${without.toFixed(0)}/s without: ` +
        `time × ${ratios[index]?.toFixed(3)}, processor time × ${processorRatios[index]?.toFixed(3)}`,
    );
  }
  await postgres.end();
  console.log(
    `${pairs} pairs of ${count} texts: ${summary('time', ratios)}; ${summary('processor time', processorRatios)}`,
  );
} finally {
  await server.stop();
}
process.exit(0);

/** The median, and the geometric mean with its standard error. */
function summary(name: string, values: readonly number[]): string {
  const logarithms = values.map(Math.log);
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const error = Math.sqrt(variance / values.length);
  return `${name} × ${percentile(values, 0.5).toFixed(3)} (mean ${Math.exp(mean).toFixed(3)} ± ${error.toFixed(3)})`;
}
