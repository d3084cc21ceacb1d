import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Embedder } from '../../src/inference/embedder.js';
import { TestServer } from '../support/server.js';

/** An embedder that chokes on texts with a certain word. */
class FussyEmbedder implements Embedder {
  readonly model = 'fussy';
  readonly dimensions = 4;
  readonly dimensionsShown = { default: 4, min: 4, max: 4 };
  readonly denseWeight = 0.1;
  readonly cached = false;
  poison = 'poison';

  async embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
    if (texts.some((text) => text.includes(this.poison))) throw new Error('this text cannot be embedded');
    return texts.map(() => Float32Array.of(1, 0, 0, 0));
  }

  async embedQuery(): Promise<Float32Array> {
    return Float32Array.of(1, 0, 0, 0);
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }
}

const embedder = new FussyEmbedder();
let server: TestServer;
let database: string;
beforeAll(async () => {
  server = await TestServer.start({ embedder });
});
beforeEach(async () => {
  database = await server.database();
});
afterAll(async () => server.stop());

const ingest = (memories: Record<string, unknown>[]) =>
  server.rest('POST', '/context/ingest', { json: { database, type: 'memory', memories } });
const statusOf = (id: string) => server.statusOf(database, id);
const storeOf = async () => `${await server.databaseId(database)}_memory`;

describe('indexing', () => {
  test('one item that cannot be indexed holds up none of its batch, and leaves nothing behind', async () => {
    await ingest([
      { id: 'good-1', text: 'fine words' },
      { id: 'bad', text: 'poison' },
      { id: 'good-2', text: 'more fine words' },
    ]);
    await server.idle();
    expect((await statusOf('good-1')).indexing_status).toBe('completed');
    expect((await statusOf('good-2')).indexing_status).toBe('completed');
    expect(await statusOf('bad')).toMatchObject({ indexing_status: 'processing', error_code: 'E9001' });
    for (let tries = 0; tries < 8; tries += 1) {
      server.clock.advance(300);
      await server.idle();
    }
    expect(await statusOf('bad')).toMatchObject({ indexing_status: 'errored', error_code: 'E9001' });
    expect(await server.sql(`select 1 from chunks_${await storeOf()}`)).toHaveLength(2);
  });

  test('of a long item that ends errored nothing that its tries had stored stays in the store', async () => {
    const section = (n: number) => `# Part ${n}\n\n${'Plain words stand here. '.repeat(24)}\n\n`;
    const text = Array.from({ length: 210 }, (_, n) => section(n)).join('');
    await ingest([
      { id: 'fine', text: 'fine words' },
      { id: 'long', text: `${text}# End\n\npoison`, is_markdown: true },
    ]);
    await server.idle();
    // Its last try is the next.
    await server.sql(`update sources set attempts = 7 where id = 'long' and latest`);
    server.clock.advance(300);
    await server.idle();
    expect((await statusOf('long')).indexing_status).toBe('errored');
    expect(await server.sql(`select 1 from chunks_${await storeOf()}`)).toHaveLength(1);
  });

  test('an item that fails by itself is tried eight times, after 1, 2, 4 … seconds, a quarter more or less', async () => {
    await ingest([
      { id: 'fine', text: 'fine words' },
      { id: 'failing', text: 'poison' },
    ]);
    const waits: number[] = [];
    for (;;) {
      await server.idle();
      const [row] = await server.sql<{ status: string; failed: Date; next: Date }>(
        `select indexing_status as status, status_updated_at as failed, next_attempt_at as next
           from sources where id = 'failing' and latest`,
      );
      if (row?.status !== 'processing') break;
      const wait = (row.next.getTime() - row.failed.getTime()) / 1000;
      waits.push(wait / 2 ** waits.length);
      server.clock.advance(wait + 0.001);
    }
    expect((await statusOf('failing')).indexing_status).toBe('errored');
    expect(waits).toHaveLength(7);
    for (const wait of waits) expect(Math.abs(wait - 1)).toBeLessThanOrEqual(0.251);
  });

  test('an item that is replaced after it errored is indexed anew', async () => {
    await server.upload(database, { 'a.md': '  ' }, { document_metadata: '[{"id": "a"}]' });
    await server.idle();
    expect((await statusOf('a')).error_code).toBe('E2002');
    await server.upload(database, { 'a.md': 'words at last' }, { document_metadata: '[{"id": "a"}]' });
    await server.idle();
    expect(await statusOf('a')).toMatchObject({ indexing_status: 'completed', error_code: '' });
  });

  test('a version that a dead worker held is taken over when its lease lapses, without doubled chunks', async () => {
    await ingest([{ id: 'taken', text: 'words' }]);
    // What a worker leaves that dies after it has claimed the row and stored chunks.
    await server.sql(
      `update sources set indexing_status = 'processing', attempts = 1, lease_token = gen_random_uuid(), lease_until = $1
        where id = 'taken' and latest`,
      [new Date(server.clock.now().getTime() + 30_000)],
    );
    const store = await storeOf();
    await server.sql(
      `insert into chunks_${store} select d.id, 'memory', nextval('chunk_ids'), s.uid, s.collection_id, 0, gen_random_uuid(),
         'half', '{}', '{5}', '{1}', 1, 0, '{5:1}/1000000000'
         from sources s join databases d on d.id = s.database_id where s.id = 'taken' and s.latest`,
    );
    await server.idle();
    expect((await statusOf('taken')).indexing_status).toBe('processing');
    server.clock.advance(31);
    await server.idle();
    expect((await statusOf('taken')).indexing_status).toBe('completed');
    expect(await server.sql(`select content from chunks_${store}`)).toEqual([{ content: 'words' }]);
  });

  test('a worker that was thought dead cannot write over its successor', async () => {
    await ingest([{ id: 'frozen', text: 'first words' }]);
    const store = await storeOf();
    // While the first worker embeds, its lease is given to another, which has replaced the version's token.
    const embedDocuments = embedder.embedDocuments.bind(embedder);
    embedder.embedDocuments = async (texts) => {
      await server.sql(`update sources set lease_token = gen_random_uuid() where id = 'frozen' and latest`);
      embedder.embedDocuments = embedDocuments;
      return embedDocuments(texts);
    };
    await server.idle();
    expect(await server.sql(`select 1 from chunks_${store}`)).toEqual([]);
    expect((await statusOf('frozen')).indexing_status).toBe('processing');
    server.clock.advance(31);
    await server.idle();
    expect((await statusOf('frozen')).indexing_status).toBe('completed');
    expect(await server.sql(`select content from chunks_${store}`)).toEqual([{ content: 'first words' }]);
  });

  test('a worker that was thought dead, and fails when it goes on, removes nothing of what its successor completed', async () => {
    await ingest([
      { id: 'one', text: 'first words' },
      { id: 'two', text: 'second words' },
    ]);
    const store = await storeOf();
    const contents = () => server.sql(`select content from chunks_${store} order by content`);
    // It stands still while it waits for the vectors, until others have done its work. What it waited for fails, so that
    // it tries each item again, after it has removed what the first try may have stored.
    const embedDocuments = embedder.embedDocuments.bind(embedder);
    let completed: unknown;
    embedder.embedDocuments = async () => {
      embedder.embedDocuments = embedDocuments;
      server.clock.advance(31);
      await server.idle();
      completed = await contents();
      throw new Error('the connection was lost');
    };
    await server.idle();
    expect(completed).toEqual([{ content: 'first words' }, { content: 'second words' }]);
    expect(await contents()).toEqual(completed);
    for (const id of ['one', 'two']) expect((await statusOf(id)).indexing_status).toBe('completed');
  });

  test('a worker that was thought dead, and fails when it goes on, leaves its successor the item', async () => {
    await ingest([{ id: 'held', text: 'poison' }]);
    const lease = async () =>
      server.sql(`select lease_token, lease_until, attempts from sources where id = 'held' and latest`);
    const embedDocuments = embedder.embedDocuments.bind(embedder);
    let successors: unknown;
    embedder.embedDocuments = async (texts) => {
      embedder.embedDocuments = embedDocuments;
      await server.sql(`update sources set lease_token = gen_random_uuid() where id = 'held' and latest`);
      successors = await lease();
      return embedDocuments(texts);
    };
    await server.idle();
    expect(await lease()).toEqual(successors);
    expect((await statusOf('held')).error_code).toBe('');
  });

  test('an item waits when its database is switched, while it is indexed, to a model that this server has not', async () => {
    await ingest([{ id: 'switched', text: 'words' }]);
    const store = await storeOf();
    const embedDocuments = embedder.embedDocuments.bind(embedder);
    embedder.embedDocuments = async (texts) => {
      embedder.embedDocuments = embedDocuments;
      await server.sql(
        `create table chunk_vectors_${store}_g1 (like chunk_vectors including defaults including indexes)`,
      );
      await server.sql(
        `update databases set embedding_model = 'other', vector_generation = 1 where name = $1`,
        [database],
      );
      return embedDocuments(texts);
    };
    await server.idle();
    expect(await statusOf('switched')).toMatchObject({ indexing_status: 'processing', error_code: 'E4001' });
    expect(await server.sql(`select 1 from chunks_${store}`)).toEqual([]);
    server.clock.advance(600);
    await server.idle();
    expect((await statusOf('switched')).error_message).toContain('other');
    await server.sql(`update databases set embedding_model = 'fussy' where name = $1`, [database]);
    server.clock.advance(600);
    await server.idle();
    expect(await statusOf('switched')).toMatchObject({ indexing_status: 'completed' });
    expect(await server.sql(`select 1 from chunk_vectors_${store}_g1`)).toHaveLength(1);
  });

  test('a searchable version whose worker died before its graph is finished, not indexed again', async () => {
    await ingest([{ id: 'almost', text: 'words' }]);
    await server.idle();
    const [before] = await server.sql<{ id: string }>(`select id from chunks_${await storeOf()}`);
    await server.sql(
      `update sources set indexing_status = 'graph_creation', lease_token = gen_random_uuid(), lease_until = $1
        where id = 'almost' and latest`,
      [server.clock.now()],
    );
    server.clock.advance(1);
    await server.idle();
    expect((await statusOf('almost')).indexing_status).toBe('completed');
    expect(await server.sql(`select id from chunks_${await storeOf()}`)).toEqual([before]);
  });

  test('chunks of a long document keep their order, and every position is found again', async () => {
    const paragraphs = Array.from(
      { length: 60 },
      (_, n) => `Paragraph ${n} ${'tells of rivers and hills. '.repeat(12)}`,
    );
    await server.upload(
      database,
      { 'long.txt': paragraphs.join('\n\n') },
      { document_metadata: '[{"id": "long"}]' },
    );
    await server.idle();
    const answer = await server.rest('POST', '/query', {
      json: { database, query: 'paragraph', max_results: 250 },
    });
    const positions = answer.body.data.chunks
      .map((chunk: any) => chunk.layout.position)
      .sort((a: number, b: number) => a - b);
    expect(positions.length).toBeGreaterThan(5);
    expect(positions).toEqual(positions.map((_: number, index: number) => index));
    expect(answer.body.data.sources).toHaveLength(1);
  });
});
