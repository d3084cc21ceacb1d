// npm run demo: a throwaway server on an embedded Postgres takes in real material and answers five questions, over
// the same HTTP calls that a client would make.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config.js';
import { createLogger } from '../src/lib/logger.js';
import { startServer } from '../src/server.js';
import { chat, documents, memories, questions } from './material.js';

const database = 'demo';
const answersShown = 3;
const excerptCharacters = 160;
const dataDir = mkdtempSync(join(tmpdir(), 'contexture-demo-'));
const key = `demo.${randomBytes(32).toString('base64url')}`;

interface Status {
  readonly statuses: {
    readonly id: string;
    readonly indexing_status: string;
    readonly error_message: string;
  }[];
}

interface Answer {
  readonly chunks: {
    readonly id: string;
    readonly chunk_content: string;
    readonly source_title: string;
    readonly relevancy_score: number;
    readonly layout: { readonly headings?: readonly string[] };
  }[];
}

async function call<Data>(url: string, init: RequestInit = {}): Promise<Data> {
  const headers = { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(url, { ...init, headers });
  const body = (await response.json()) as { success: boolean; data: Data; error: { message: string } | null };
  if (!body.success) throw new Error(`${url}: ${body.error?.message}`);
  return body.data;
}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function until<Data>(ask: () => Promise<Data>, done: (data: Data) => boolean): Promise<void> {
  while (!done(await ask())) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function ingest(url: string): Promise<void> {
  const form = new FormData();
  form.append('database', database);
  form.append('document_metadata', JSON.stringify(documents.map(({ id }) => ({ id }))));
  for (const { filename, bytes } of documents)
    form.append('documents', new Blob([new Uint8Array(bytes)]), filename);
  await call(`${url}/context/ingest`, { method: 'POST', body: form });
  await call(`${url}/context/ingest`, json({ database, type: 'memory', memories: [chat, ...memories] }));
  const ids = [...documents, chat, ...memories].map(({ id }) => id);
  let shown = -1;
  await until(
    () => call<Status>(`${url}/context/status?database=${database}&ids=${ids.join(',')}`),
    ({ statuses }) => {
      const failed = statuses.find((status) => status.indexing_status === 'errored');
      if (failed) throw new Error(`${failed.id}: ${failed.error_message}`);
      const ready = statuses.filter((status) => status.indexing_status === 'completed').length;
      if (ready !== shown) console.log(`  indexed ${(shown = ready)} of ${ids.length}`);
      return ready === ids.length;
    },
  );
}

async function ask(url: string): Promise<void> {
  for (const { query, type } of questions) {
    const startedAt = performance.now();
    const { chunks } = await call<Answer>(
      `${url}/query`,
      json({ database, query, type, max_results: answersShown }),
    );
    console.log(`\n? ${query}  (${type}, ${(performance.now() - startedAt).toFixed(0)} ms)`);
    for (const chunk of chunks) {
      const place = [chunk.source_title, ...(chunk.layout.headings ?? [])].join(' › ');
      const excerpt = chunk.chunk_content.replace(/\s+/g, ' ').slice(0, excerptCharacters);
      console.log(`  ${chunk.relevancy_score.toFixed(2)}  ${place}\n        ${excerpt}`);
    }
  }
}

async function main(): Promise<void> {
  const startedAt = performance.now();
  console.log('Starting a server on an embedded Postgres in a temporary folder …');
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, BOOTSTRAP_API_KEY: key });
  const server = await startServer(config, { logger: createLogger('error') });
  try {
    console.log(`  serving at ${server.url}\nCreating the database "${database}" …`);
    await call(`${server.url}/databases`, json({ database }));
    const status = () => call<{ status: string }>(`${server.url}/databases/status?database=${database}`);
    await until(status, (answer) => answer.status === 'ready');
    console.log(`Ingesting ${documents.length} documents, a chat and ${memories.length} memories …`);
    await ingest(server.url);
    await ask(server.url);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  console.log(`\nDone in ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Your own: npm start`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
