// Pages of a list of 100,000 items over HTTP: what the last one costs beside the first, by number and behind a cursor.
// npm run bench:lists [-- items]; DATABASE_URL chooses a native Postgres, else the embedded one is used.
import { describeMachine, percentile, timed } from './measuring.js';
import { BenchServer } from './server.js';
import { SyntheticText, randomNumbers } from './synthetic-text.js';

const items = Number(process.argv[2] ?? 100_000);
const pageSize = 50;
const rounds = 100;
const warmUp = 10;
const rowsOfStep = 10_000;
const database = `lists-${Date.now()}`;

/** Makes copies of one item; a list reads nothing but the rows of items. */
async function fill(server: BenchServer): Promise<void> {
  await server.createDatabase(database);
  await server.remember(database, new SyntheticText(randomNumbers(1)), { count: 1 });
  const client = await server.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(column_name) as name from information_schema.columns
        where table_name = 'sources' and column_name not in ('uid', 'id', 'created_at')`,
    );
    const copied = rows.map(({ name }) => name).join(', ');
    for (let from = 1; from < items; from += rowsOfStep)
      await client.query(
        `insert into sources (id, created_at, ${copied})
         select n, created_at + n * interval '1 ms', ${copied} from sources, generate_series($1::int, $2::int) as n
          where id = '0'`,
        [from, Math.min(from + rowsOfStep, items) - 1],
      );
    await client.query('vacuum (analyze) sources');
  } finally {
    await client.end();
  }
}

async function endCursor(server: BenchServer, page: number): Promise<string> {
  const query = `{ memories(database: "${database}", page: ${page}, pageSize: ${pageSize}) { pageInfo { endCursor } } }`;
  const { memories } = await server.call<{ memories: { pageInfo: { endCursor: string } } }>(
    'POST',
    '/graphql',
    { query },
  );
  return memories.pageInfo.endCursor;
}

async function measure(server: BenchServer): Promise<void> {
  const last = Math.floor(items / pageSize);
  const byNumber = (page: number) => () =>
    server.call('POST', '/context/list', { database, type: 'memory', page, page_size: pageSize });
  const query = `query ($after: String) { memories(database: "${database}", first: ${pageSize}, after: $after) {
    nodes { id title metadata } pageInfo { hasNextPage endCursor } } }`;
  const behind = (after: string) => () => server.call('POST', '/graphql', { query, variables: { after } });
  const ways = [
    { name: 'by number, with totals', first: byNumber(1), last: byNumber(last) },
    {
      name: 'behind a cursor',
      first: behind(await endCursor(server, 1)),
      last: behind(await endCursor(server, last - 1)),
    },
  ];
  for (const way of ways) {
    const times = { first: [] as number[], last: [] as number[] };
    for (let n = 0; n < rounds + warmUp; n += 1) {
      for (const which of n % 2 ? (['first', 'last'] as const) : (['last', 'first'] as const)) {
        const milliseconds = await timed(way[which]);
        if (n >= warmUp) times[which].push(milliseconds);
      }
    }
    const [first, deep] = [times.first, times.last].map((each) => percentile(each, 0.5));
    const ratio = (deep ?? 0) / (first ?? 1);
    console.log(
      `${way.name}: first page p50 ${first?.toFixed(1)} ms, last ${deep?.toFixed(1)} ms, ${ratio.toFixed(2)} × the first`,
    );
  }
}

console.log(describeMachine());
const server = await BenchServer.start();
try {
  await fill(server);
  await measure(server);
} finally {
  await server.stop();
}
process.exit(0);
