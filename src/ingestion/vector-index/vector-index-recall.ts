import {
  candidatesAtOnceMax,
  indexedType,
  scanMemoryFactor,
  visitedMax,
} from '../../postgres/vector-index.js';

/** Runs one statement in a session. */
export type Run = <Row>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

const samples = 25;
const neighbours = 20;
// From what clustered vectors need, as those of texts are, to what random ones do.
const candidateSteps = [200, 400, 700, 1000, 2000, 4000];
const recallWanted = 0.99;

/**
 * Measures how many candidates a search of a new index has to look at, by comparing searches of some vectors
 * with scans: vectors differ in how hard they are to find. Leaves the session's settings changed.
 */
export async function calibrate(
  run: Run,
  { table, indexedUpTo, dimensions }: { table: string; indexedUpTo: string; dimensions: number },
): Promise<{ candidates: number; recall: number }> {
  const indexed = `from ${table} where chunk_id <= ${indexedUpTo}`;
  const type = indexedType(dimensions);
  const asked = await run<{ vector: string }>(
    `with amount as (select count(*) as rows ${indexed})
     select embedding::text as vector
       from ${table} tablesample bernoulli (least(100, 300.0 * ${samples} / (select rows + 1 from amount)))
      where chunk_id <= ${indexedUpTo} limit ${samples}`,
  );
  const search = async ({ vector }: { vector: string }) => {
    const found = await run<{ id: string }>(
      `select chunk_id as id ${indexed} order by embedding <#> $1::vector limit ${neighbours}`,
      [vector],
    );
    return found.map(({ id }) => id);
  };
  const searchIndex = async (candidates: number, { vector }: { vector: string }) => {
    const wanted = candidates > candidatesAtOnceMax ? candidates : neighbours;
    const found = await run<{ id: string }>(
      `select id from (select chunk_id as id, embedding <#> $1::vector as distance ${indexed}
         order by embedding::${type} <#> $1::vector::${type} limit ${wanted}) c order by distance limit ${neighbours}`,
      [vector],
    );
    return found.map(({ id }) => id);
  };
  const exact: string[][] = [];
  for (const sample of asked) exact.push(await search(sample));
  await run('set enable_seqscan = off');
  await run('set hnsw.iterative_scan = relaxed_order');
  await run(`set hnsw.scan_mem_multiplier = ${scanMemoryFactor}`);
  await run(`set hnsw.max_scan_tuples = ${visitedMax}`);
  const expected = exact.flat().length;
  let best = { candidates: candidateSteps[0] ?? 0, recall: 1 };
  for (const candidates of candidateSteps) {
    await run(`set hnsw.ef_search = ${Math.min(candidates, candidatesAtOnceMax)}`);
    let found = 0;
    for (const [n, sample] of asked.entries()) {
      const ids = await searchIndex(candidates, sample);
      found += exact[n]?.filter((id) => ids.includes(id)).length ?? 0;
    }
    best = { candidates, recall: expected > 0 ? found / expected : 1 };
    if (best.recall >= recallWanted) break;
  }
  return best;
}
