import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { freePort } from './free-port.js';

/** How a provider answers; `poison` refuses only requests that hold the word poison. */
export type ProviderMode =
  | 'works'
  | 'down'
  | 'error 500'
  | 'error 429'
  | 'hangs'
  | 'fewer vectors'
  | 'other dimension'
  | 'NaN'
  | 'null'
  | 'strings'
  | 'repeated index'
  | 'no JSON'
  | 'empty object'
  | 'poison 400'
  | 'poison 500';

interface Entry {
  object: string;
  index: number;
  embedding: unknown[];
}

interface AskedEmbeddings {
  readonly model: string;
  readonly input: string[];
  readonly dimensions?: number;
  readonly encoding_format: string;
}

/** Answers that are well formed, with status 200, and wrong. */
const lies: Partial<Record<ProviderMode, (data: Entry[]) => unknown>> = {
  'fewer vectors': (data) => ({ object: 'list', data: data.slice(1) }),
  'other dimension': (data) => ({ data: data.map((entry) => ({ ...entry, embedding: [1, 0, 0] })) }),
  NaN: (data) => ({ data: data.map((entry) => ({ ...entry, embedding: entry.embedding.map(() => 'NaN') })) }),
  null: (data) => ({ data: data.map((entry) => ({ ...entry, embedding: entry.embedding.map(() => null) })) }),
  strings: (data) => ({ data: data.map((entry) => ({ ...entry, embedding: 'AAAA' })) }),
  'repeated index': (data) => ({ data: data.map((entry) => ({ ...entry, index: data.length })) }),
  'empty object': () => ({}),
};

/** An OpenAI-compatible endpoint of embeddings that fails as it is told; no client of it should retry by itself. */
export class EmbeddingProvider {
  mode: ProviderMode = 'works';
  /** The status and words with which it refuses texts, if it does. */
  refuses: (texts: readonly string[], asked: AskedEmbeddings) => readonly [number, string] | undefined = () =>
    undefined;
  /** How it writes numbers. */
  encodings = ['float', 'base64'];
  /** Texts of each request that came. */
  readonly requests: string[][] = [];
  /** The model and the key of each. */
  readonly askings: { readonly model: string; readonly authorization: string | undefined }[] = [];
  /** Where these came. */
  readonly paths: (string | undefined)[] = [];
  /** Answers of requests that hang; they come late. */
  private readonly held: (() => void)[] = [];
  private readonly waiting: (() => void)[] = [];
  private server: Server | undefined;
  private port = 0;

  /** `vectorOf` gives the vector of a text; without it all texts have the same. */
  constructor(
    private readonly dimensions = 8,
    private readonly vectorOf?: (text: string) => number[],
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        if (!request.url?.startsWith('/v1/embeddings')) return send(response, 404, {});
        this.paths.push(request.url);
        const asked = JSON.parse(body) as AskedEmbeddings;
        this.askings.push({ model: asked.model, authorization: request.headers.authorization });
        this.answer(asked, response);
      });
    });
    this.server = server;
    this.port ||= await freePort();
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
  }

  /** Resolves when it has been asked more often than so many times. */
  async asked(times = this.requests.length): Promise<void> {
    while (this.requests.length <= times) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** From now on it fails like this, or works again. */
  async change(mode: ProviderMode): Promise<void> {
    this.mode = mode;
    if (mode === 'down') await this.close();
    else if (!this.server) await this.listen();
    if (mode === 'hangs') return;
    for (const answer of this.held.splice(0)) answer();
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    server?.closeAllConnections();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  private answer(asked: AskedEmbeddings, response: ServerResponse): void {
    this.requests.push(asked.input);
    for (const tell of this.waiting.splice(0)) tell();
    const { mode } = this;
    if (mode === 'hangs') {
      this.held.push(() => this.answer(asked, response));
      return;
    }
    const refuse = (status: number, message = 'no') => send(response, status, { error: { message } });
    const refusal = this.refuses(asked.input, asked);
    if (refusal) return refuse(...refusal);
    if ((asked.dimensions ?? this.dimensions) !== this.dimensions) return refuse(400);
    if (!this.encodings.includes(asked.encoding_format)) return refuse(400);
    const poisoned = asked.input.some((text) => text.includes('poison'));
    if (mode === 'poison 400' && poisoned) return refuse(400);
    if (mode === 'poison 500' && poisoned) return refuse(500);
    if (mode === 'error 500') return refuse(500);
    if (mode === 'error 429') {
      response.setHeader('retry-after', '7');
      return refuse(429);
    }
    if (mode === 'no JSON') {
      response.setHeader('content-type', 'text/html');
      response.end('<h1>502 Bad Gateway</h1>');
      return;
    }
    const data = asked.input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: this.vectorOf?.(text) ?? this.vector(),
    }));
    const isBase64 = asked.encoding_format === 'base64';
    const written = isBase64
      ? data.map((entry) => ({ ...entry, embedding: base64Of(entry.embedding) }))
      : data;
    send(response, 200, lies[mode]?.(data) ?? { object: 'list', data: written });
  }

  private vector(): number[] {
    return Array.from({ length: this.dimensions }, (_, n) => (n === 0 ? 2 : 0));
  }
}

function base64Of(numbers: readonly number[]): string {
  return Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  // The client of the library would wait and ask again; time in a test stands still.
  response.setHeader('x-should-retry', 'false');
  response.end(JSON.stringify(body));
}
