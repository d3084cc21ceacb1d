import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config.js';
import { AppError } from '../../src/errors.js';
import { CompletionRefused } from '../../src/inference/completer.js';
import { createCompleter } from '../../src/inference/completers.js';
import { createOpenAiCompleter } from '../../src/inference/completers/openai.js';
import { ChatServer } from '../support/chat-server.js';
import type { Asked } from '../support/chat-server.js';

const chat = new ChatServer();
beforeAll(async () => chat.listen());
afterAll(async () => chat.close());
beforeEach(() => {
  chat.asked = [];
});

const asking = { system: 's', user: 'u', name: 'n', schema: { type: 'object' } };

describe('what endpoints refuse of a request is left out, from then on at once', () => {
  const known = ['response_format', 'max_tokens', 'max_completion_tokens', 'temperature'];
  /** What was sent beside model and messages, by request. */
  const sent = () =>
    chat.asked.map(({ body }) =>
      Object.fromEntries(known.flatMap((name) => (name in body ? [[name, body[name]]] : []))),
    );
  const refusing = (refusal: (body: Asked['body']) => string | undefined) => {
    chat.reply = ({ body }) => {
      const message = refusal(body);
      return message === undefined ? { content: '{"a":1}' } : { status: 400, message };
    };
  };
  /** Asks twice; returns what the last two requests were. */
  const askTwice = async () => {
    const own = chat.completer();
    expect(await own.complete(asking)).toEqual({ a: 1 });
    expect(await own.complete(asking)).toEqual({ a: 1 });
    const [first, second] = sent().slice(-2);
    expect(second).toEqual(first);
    return second;
  };

  test('everything is sent while nothing is refused', async () => {
    chat.reply = () => ({ content: '{"a":1}' });
    const response_format = {
      type: 'json_schema',
      json_schema: { name: 'n', schema: asking.schema, strict: true },
    };
    expect(await askTwice()).toEqual({ response_format, max_tokens: 8192, temperature: 0 });
    expect(chat.asked).toHaveLength(2);
    // Not every endpoint heeds the schema that it takes.
    expect(chat.asked[0]?.body.messages[0].content).toContain('{"type":"object"}');
  });

  test('a model that reasons: max_completion_tokens, and no temperature', async () => {
    refusing((body) => {
      if ('max_tokens' in body)
        return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
      if ('temperature' in body)
        return "Unsupported value: 'temperature' does not support 0 with this model.";
      return undefined;
    });
    expect(await askTwice()).toEqual({
      response_format: { type: 'json_schema', json_schema: expect.anything() },
      max_completion_tokens: 32768,
    });
    expect(chat.asked).toHaveLength(4);
  });

  test.each([
    'max_tokens is too large: 8192. This model supports at most 4096 completion tokens.',
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    "'max_tokens' or 'max_completion_tokens' is too large: 8192.",
  ])('a model of small answers: no limit (%s)', async (message) => {
    refusing((body) => ('max_tokens' in body || 'max_completion_tokens' in body ? message : undefined));
    expect(await askTwice()).toEqual({
      response_format: { type: 'json_schema', json_schema: expect.anything() },
      temperature: 0,
    });
  });

  test.each([
    ['json_schema', ['json_schema'], { type: 'json_object' }],
    ['both', ['json_schema', 'json_object'], undefined],
  ])('formats of answers: %s', async (_case, refused, expected) => {
    refusing((body) =>
      refused.includes(body.response_format?.type) ? 'unknown response_format' : undefined,
    );
    const format = expected ? { response_format: expected } : {};
    expect(await askTwice()).toEqual({ ...format, max_tokens: 8192, temperature: 0 });
  });

  test('an endpoint that does not say what it refuses gets model and messages alone', async () => {
    refusing((body) => ('temperature' in body ? 'bad request' : undefined));
    expect(await askTwice()).toEqual({});
  });

  test('an answer that the model did not manage to write says nothing of the form', async () => {
    let isFirst = true;
    refusing((body) =>
      isFirst && body.response_format ? 'Failed to generate JSON. Please adjust your prompt.' : undefined,
    );
    const own = chat.completer();
    expect(await own.complete(asking)).toEqual({ a: 1 });
    isFirst = false;
    await own.complete(asking);
    expect(sent().map(({ response_format: format }) => format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
      'json_schema',
    ]);
  });

  test('what is refused in every form leaves the form as it was', async () => {
    let isRefused = true;
    refusing(() => (isRefused ? 'this content is filtered' : undefined));
    const own = chat.completer();
    await expect(own.complete(asking)).rejects.toThrow('refuses the request: 400 this content is filtered');
    expect(chat.asked.length).toBeLessThanOrEqual(4);
    isRefused = false;
    await own.complete(asking);
    expect(sent().at(-1)).toHaveProperty('response_format.type', 'json_schema');
  });
});

test.each(['/v1', '/v1/chat/completions', ''])(
  'the endpoint is found by its address with %j behind the host, and kept',
  async (path) => {
    const isServed = (asked: Asked) => asked.path === '/v1/chat/completions';
    chat.reply = (asked) => (isServed(asked) ? { content: '{"a":1}' } : { status: 404 });
    const url = new URL(chat.url).origin + path;
    const own = createOpenAiCompleter({ url, model: 'toy', apiKey: undefined }, { retriesMax: 0 });
    for (let times = 0; times < 2; times += 1) expect(await own.complete(asking)).toEqual({ a: 1 });
    expect(chat.asked.filter(isServed)).toHaveLength(2);
    expect(chat.asked).toHaveLength(path === '' ? 3 : 2);
  },
);

test.each([
  ['alone', ' {"a":1}\n'],
  ['in a code fence', '```json\n{"a":1}\n```'],
  ['between other words', 'Here it is, {so} to say:\n```json\n{"a":1}\n```\nAnything else?'],
  ['behind words', 'Sure! {"a":1}'],
  ['behind thoughts', '<think>\nPerhaps {"a":2}?\n</think>\n\n{"a":1}'],
  ['behind thoughts whose beginning the template swallowed', 'Or {"a":2}?</think>{"a":1}'],
  ['that mentions thoughts', '{"a":1,"b":"</think>"}', { a: 1, b: '</think>' }],
  [
    'in parts',
    [
      { type: 'thinking', thinking: [{ type: 'text', text: '{' }] },
      { type: 'text', text: '{"a":1}' },
    ],
  ],
])('JSON is read that stands %s', async (_where, content, expected: unknown = { a: 1 }) => {
  chat.reply = () => ({ content });
  expect(await chat.completer().complete(asking)).toEqual(expected);
});

describe('the OpenAI-compatible completer', () => {
  // 200: with an error inside.
  test.each([200, 401, 402, 403, 408, 429, 500, 503])('status %d: SERVICE_UNAVAILABLE', async (status) => {
    chat.reply = () => ({ status });
    const error = await chat
      .completer()
      .complete(asking)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ kind: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 10 });
  });

  test('status 413: refused, and no dependency is down', async () => {
    chat.reply = () => ({ status: 413 });
    await expect(chat.completer().complete(asking)).rejects.toBeInstanceOf(CompletionRefused);
  });

  test('nobody listens, or nothing is answered in time: SERVICE_UNAVAILABLE', async () => {
    const closed = createOpenAiCompleter(
      { url: 'http://127.0.0.1:9/v1', model: 'toy', apiKey: undefined },
      { retriesMax: 0 },
    );
    await expect(closed.complete(asking)).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
    chat.reply = () => undefined;
    await expect(chat.completer({ timeoutMs: 50 }).complete(asking)).rejects.toMatchObject({
      kind: 'SERVICE_UNAVAILABLE',
    });
  });

  test('a model that hangs is given up on after a time for all tries', async () => {
    chat.reply = () => undefined;
    const patient = chat.completer({ retriesMax: 2, timeoutMs: 60_000, allTriesMs: 50 });
    await expect(patient.complete(asking)).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
  });

  test('a signal ends the wait, with its own reason', async () => {
    const controller = new AbortController();
    chat.reply = () => {
      controller.abort(new Error('stopping'));
      return undefined;
    };
    await expect(chat.completer().complete(asking, controller.signal)).rejects.toThrow('stopping');
  });

  test('is configured by LLM_URL with LLM_MODEL', async () => {
    expect(await createCompleter(readConfig({}))).toBeUndefined();
    expect(() => readConfig({ LLM_URL: 'http://localhost/v1' })).toThrow('LLM_MODEL is required');
    const { languageModel } = readConfig({ LLM_URL: 'http://localhost/v1', LLM_MODEL: 'm' });
    expect(languageModel).toEqual({ url: 'http://localhost/v1', model: 'm', apiKey: undefined });
    expect(await createCompleter({ languageModel })).toBeDefined();
  });
});
