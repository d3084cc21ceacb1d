import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import type { ModelConfig } from '../../config.js';
import { AppError } from '../../errors.js';
import { CompletionRefused } from '../completer.js';
import type { Completer, CompletionRequest } from '../completer.js';

const timeoutMs = 120_000;
const retriesMax = 2;
/** For all tries of a question: an item that waits for the answer cannot be deleted meanwhile. */
const allTriesMs = 150_000;
const retryAfterSeconds = 10;
const answerTokensMax = 8192;

interface Timing {
  readonly timeoutMs?: number;
  readonly retriesMax?: number;
  readonly allTriesMs?: number;
}

type ResponseFormat = NonNullable<OpenAI.Chat.Completions.ChatCompletionCreateParams['response_format']>;

/**
 * An OpenAI-compatible /chat/completions endpoint. Asks for answers bound to the schema; once an endpoint has
 * refused that (400), for any JSON, with the schema in the instructions.
 */
export function createOpenAiCompleter({ url, model, apiKey }: ModelConfig, timing: Timing = {}): Completer {
  const client = new OpenAI({
    baseURL: url,
    apiKey: apiKey ?? 'none',
    timeout: timing.timeoutMs ?? timeoutMs,
    maxRetries: timing.retriesMax ?? retriesMax,
  });
  let knowsSchemas = true;

  const ask = async (request: CompletionRequest, format: ResponseFormat, signal?: AbortSignal) => {
    const answer = await client.chat.completions.create(
      {
        model,
        temperature: 0,
        max_tokens: answerTokensMax,
        response_format: format,
        messages: [
          { role: 'system', content: request.system },
          { role: 'user', content: request.user },
        ],
      },
      // A signal of its own: the client never removes its listeners, and the signal of a job outlives all of
      // its calls.
      {
        signal: AbortSignal.any([
          ...(signal ? [signal] : []),
          AbortSignal.timeout(timing.allTriesMs ?? allTriesMs),
        ]),
      },
    );
    return parse(answer.choices?.[0]?.message?.content);
  };

  const askForJson = (request: CompletionRequest, signal?: AbortSignal) =>
    ask(withSchemaInWords(request), { type: 'json_object' }, signal);

  const askBySchema = async (request: CompletionRequest, signal?: AbortSignal) => {
    if (!knowsSchemas) return askForJson(request, signal);
    const { name, schema } = request;
    const format = { type: 'json_schema', json_schema: { name, schema, strict: true } } as const;
    try {
      return await ask(request, format, signal);
    } catch (error) {
      if (!isRefusedFormat(error)) throw error;
      const answer = await askForJson(request, signal);
      knowsSchemas = false;
      return answer;
    }
  };

  return {
    complete: (request, signal) =>
      askBySchema(request, signal).catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : toFailure(error);
      }),
    close: async () => undefined,
  };
}

function withSchemaInWords(request: CompletionRequest): CompletionRequest {
  const system = `${request.system}\n\nAnswer with JSON of this schema:\n${JSON.stringify(request.schema)}`;
  return { ...request, system };
}

/** Whether an endpoint may have refused the format of the answer, and not the question. */
function isRefusedFormat(error: unknown): boolean {
  return error instanceof APIError && (error.status === 400 || error.status === 422);
}

/** The JSON that a model wrote, without the code fence that some put around it. */
function parse(content: unknown): unknown {
  if (typeof content !== 'string') return undefined;
  const json = content.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1');
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

function toFailure(cause: unknown): Error {
  const status = cause instanceof APIError ? (cause.status as number | undefined) : undefined;
  const isDown =
    cause instanceof APIConnectionError ||
    cause instanceof APIUserAbortError ||
    (status !== undefined && (status >= 500 || [401, 403, 408, 429].includes(status)));
  if (!isDown) return new CompletionRefused('the language model refuses the request', { cause });
  return new AppError('SERVICE_UNAVAILABLE', 'the language model does not answer; try again', {
    cause,
    retryAfterSeconds,
  });
}
