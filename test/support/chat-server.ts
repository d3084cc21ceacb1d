import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Completer } from '../../src/inference/completer.js';
import { createOpenAiCompleter } from '../../src/inference/completers/openai.js';

export interface Asked {
  readonly path: string | undefined;
  readonly body: any;
  readonly authorization: string | undefined;
}

/** The answer to a request: a status, or the content of the message; undefined for no answer, ever. */
type Reply = (asked: Asked, index: number) => Answered | undefined | Promise<Answered>;
interface Answered {
  readonly status?: number;
  /** The words of a refusal. */
  readonly message?: string;
  /** Text, or a list of parts. */
  readonly content?: unknown;
}

/** A language model for tests that speaks as much of the chat completions API as the client needs. */
export class ChatServer {
  asked: Asked[] = [];
  reply: Reply = () => ({ content: '{"facts":[]}' });
  url = '';
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (part) => (text += String(part)));
      request.on('end', async () => {
        const { url: path, headers } = request;
        const asked = { path, body: JSON.parse(text), authorization: headers.authorization };
        this.asked.push(asked);
        const reply = await this.reply(asked, this.asked.length - 1);
        if (!reply) return;
        response.statusCode = reply.status ?? 200;
        response.setHeader('content-type', 'application/json');
        response.setHeader('x-should-retry', 'false');
        const message = { role: 'assistant', content: reply.content };
        response.end(
          JSON.stringify(
            reply.status
              ? { error: { message: reply.message ?? 'refused' } }
              : { choices: [{ index: 0, message }] },
          ),
        );
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** A client of it that asks everything once. */
  completer(timing: Parameters<typeof createOpenAiCompleter>[1] = {}): Completer {
    return createOpenAiCompleter(
      { url: this.url, model: 'toy', apiKey: 'sesame' },
      { retriesMax: 0, ...timing },
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
