// What the vector index of a large store finds of what an exact scan finds, and how long both take: for random vectors,
// the hardest, and clustered ones, as texts are; without a filter and with filters that few and many items match.
// DATABASE_URL=postgres://... npm run bench:vectors [-- count [dimensions]]; the embedded Postgres has no such index.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { readConfig } from '../src/config.js';
import type { Embedder } from '../src/inference/embedder.js';
import { createLogger } from '../src/lib/logger.js';
import { exactRowsMaxDefault } from '../src/postgres/vector-index.js';
import type { VectorIndex } from '../src/postgres/vector-index.js';
import { searchIndexed } from '../src/retrieval/lanes/indexed-dense.queries.js';
import { searchDense } from '../src/retrieval/lanes/lanes.queries.js';
import type { LaneHit } from '../src/retrieval/lanes/lanes.queries.js';
import type { SearchScope } from '../src/retrieval/search-scope.js';
import { startServer } from '../src/server.js';
import { send } from './http-client.js';
import { describeMachine, percentile, timed } from './measuring.js';
import { makeNativeDatabase } from './server.js';
import { randomDirection, unit } from './random-vectors.js';
import { randomNumbers } from './synthetic-text.js';

const count = Number(process.argv[2] ?? 50_000);
const dimensions = Number(process.argv[3] ?? 192);
const queries = 200;
const wanted = 10;
// As deep as a query for ten chunks reads its lanes.
const laneDepth = 50;
const itemsPerRequest = 1000;
const parts = 100;
const vectorsPerCluster = 100;
const spread = 0.6;
const key = 'bench.0123456789abcdef0123456789abcdef';

type MakeVector = () => Float32Array;

const random = randomNumbers(7);
const randomVector: MakeVector = () => randomDirection(dimensions, random);

/** Vectors around centres, nearer to their own than to any other. */
function clusteredVectors(): MakeVector {
  const centres = Array.from({ length: Math.ceil(count / vectorsPerCluster) }, randomVector);
  return () => {
    const noise = randomVector();
    const centre = centres[Math.floor(random() * centres.length)] ?? noise;
    return unit(centre.map((value, index) => value + spread * (noise[index] ?? 0)));
  };
}

/** Gives every text the next vector, whatever it says. */
function madeUp(make: MakeVector): Embedder {
  return {
    model: 'made-up',
    dimensions,
    dimensionsShown: { default: dimensions, min: dimensions, max: dimensions },
    denseWeight: 1,
    cached: false,
    embedDocuments: (texts) => Promise.resolve(texts.map(make)),
    embedQuery: () => Promise.resolve(make()),
    close: () => Promise.resolve(),
  };
}

async function ingest(url: string, runJobs: () => Promise<void>): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = async (path: string, body: unknown) => {
    const { status, text } = await send(url + path, { method: 'POST', headers, body });
    if (status >= 300) throw new Error(text);
  };
  await post('/databases', { database: 'vectors' });
  await runJobs();
  for (let start = 0; start < count; start += itemsPerRequest) {
    const memories = Array.from({ length: Math.min(itemsPerRequest, count - start) }, (_, n) => ({
      id: `${start + n}`,
      text: 'vector',
      additional_metadata: { part: (start + n) % parts },
    }));
    await post('/context/ingest', { database: 'vectors', type: 'memory', memories });
  }
  await runJobs();
}

async function compare(postgres: DataSource, make: MakeVector): Promise<void> {
  const [index] = await postgres.query<(VectorIndex & { databaseId: number; collectionId: number })[]>(
    `select v.database_id as "databaseId", corpus, indexed_up_to as "indexedUpTo",
            wide_collections as "wideCollections", candidates, c.id as "collectionId"
       from vector_indexes v join collections c on c.database_id = v.database_id`,
  );
  if (!index) throw new Error(`no vector index was built: ${count} chunks may be few enough to scan`);
  console.log(`  a search looks at ${index.candidates} candidates`);
  for (const share of [1, 0.5, 0.1, 0.01]) {
    const values = Array.from({ length: parts * share }, (_, part) => part);
    const scope: SearchScope = {
      store: { databaseId: index.databaseId, corpus: 'memory', generation: 0 },
      vectorIndex: index,
      collectionIds: [index.collectionId],
      sourceIds: null,
      conditions: share === 1 ? [] : [{ kind: 'oneOf', column: 'additional_metadata', key: 'part', values }],
      readers: null,
      hidesItems: false,
      hasFacts: false,
      now: new Date(),
    };
    const times = { indexed: [] as number[], exact: [] as number[] };
    let found = 0;
    for (let n = 0; n < queries; n += 1) {
      const vector = make();
      let hits: LaneHit[] = [];
      let exact: LaneHit[] = [];
      const search = { vector, limit: laneDepth };
      times.indexed.push(
        await timed(async () => {
          hits = await searchIndexed(postgres, scope, {
            ...search,
            index,
            exactRowsMax: exactRowsMaxDefault,
          });
        }),
      );
      times.exact.push(
        await timed(async () => {
          exact = await searchDense(postgres, scope, { ...search, after: 0 });
        }),
      );
      const ids = new Set(hits.slice(0, wanted).map(({ id }) => id));
      found += exact.slice(0, wanted).filter(({ id }) => ids.has(id)).length;
    }
    const [indexed, scanned] = [percentile(times.indexed, 0.5), percentile(times.exact, 0.5)];
    const scopeName = share === 1 ? 'no filter' : `filter ${share * 100} %`;
    console.log(
      `  ${scopeName.padEnd(12)} recall@${wanted} ${(found / queries / wanted).toFixed(4)}; p50 ${indexed.toFixed(1)} ms, ` +
        `exact scan ${scanned.toFixed(1)} ms, ratio ${(indexed / scanned).toFixed(2)}`,
    );
  }
}

async function run(kind: string, make: MakeVector): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'contexture-bench-'));
  const native = await makeNativeDatabase(process.env['DATABASE_URL'] ?? '');
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: native.url,
    BOOTSTRAP_API_KEY: key,
  });
  const server = await startServer(config, {
    embedder: madeUp(make),
    logger: createLogger('warn'),
    runJobs: false,
  });
  try {
    const { jobs, postgres } = server.app;
    const milliseconds = await timed(() => ingest(server.url, () => jobs.runUntilIdle()));
    console.log(
      `${kind}: ${count} × ${dimensions}, stored and indexed in ${(milliseconds / 1000).toFixed(0)} s`,
    );
    await postgres.dataSource.query('vacuum analyze');
    await compare(postgres.dataSource, make);
  } finally {
    await server.stop();
    await native.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

if (!process.env['DATABASE_URL']) throw new Error('DATABASE_URL must name a native Postgres');
console.log(describeMachine());
await run('random', randomVector);
await run('clustered', clusteredVectors());
process.exit(0);
