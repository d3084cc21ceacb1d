import { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import type OpenAI from 'openai';
import type { ModelConfig } from '../../config.js';
import { AppError } from '../../errors.js';
import { reasonOf } from '../../lib/reason-of.js';
import { CompletionRefused } from '../completer.js';
import type { Completer, CompletionRequest } from '../completer.js';
import { openAiClients } from '../openai-clients.js';
import { jsonInAnswer } from './json-in-answer.js';
import { simplerForm, wholeForm } from './request-form.js';
import type { RequestForm } from './request-form.js';

const timeoutMs = 120_000;
const retriesMax = 2;
/** For all tries of a question: an item that waits for the answer cannot be deleted meanwhile. */
const allTriesMs = 150_000;
const retryAfterSeconds = 10;
/** What a model thinks before it answers counts as max_completion_tokens, and is some times as long as the answer. */
const tokensMax = { max_tokens: 8_192, max_completion_tokens: 32_768 } as const;
const refusalCharactersMax = 300;

type Parameters = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
/** What an endpoint answers may lack anything, or be the failure of whom it asked in turn. */
type Answer = Partial<OpenAI.Chat.Completions.ChatCompletion> & { readonly error?: unknown };
/** The status of a failure that an answer tells of without a status of its own. */
const badGateway = 502;

interface Timing {
  readonly timeoutMs?: number;
  readonly retriesMax?: number;
  readonly allTriesMs?: number;
}

/**
 * An OpenAI-compatible /chat/completions endpoint. Asks for answers bound to the schema, of a bounded length, at
 * temperature 0; what of this an endpoint refuses (400, 422) is left out from then on.
 */
export function createOpenAiCompleter(config: ModelConfig, timing: Timing = {}): Completer {
  const { model } = config;
  let clients = openAiClients(config, 'chat/completions', {
    timeout: timing.timeoutMs ?? timeoutMs,
    maxRetries: timing.retriesMax ?? retriesMax,
  });
  let form = wholeForm;

  const post = async (parameters: Parameters, signal: AbortSignal, at = 0): Promise<Answer> => {
    const client = clients[at] ?? clients[0];
    try {
      const answer = await client.chat.completions.create(parameters, { signal });
      clients = [client];
      return answer;
    } catch (error) {
      const isElsewhere = error instanceof APIError && error.status === 404 && at + 1 < clients.length;
      if (!isElsewhere) throw error;
      return post(parameters, signal, at + 1);
    }
  };

  const ask = async (request: CompletionRequest, asked: RequestForm, signal: AbortSignal) => {
    const parameters = { model, messages: messagesOf(request), ...parametersOf(asked, request) };
    const { choices, error } = await post(parameters, signal);
    if (!choices && error != null) throw toldFailure(error);
    return jsonInAnswer(choices?.[0]?.message?.content);
  };

  const askInAnyForm = async (request: CompletionRequest, signal: AbortSignal) => {
    let isOfForm = true;
    for (let asked = form; ;) {
      try {
        const answer = await ask(request, asked, signal);
        if (isOfForm) form = asked;
        return answer;
      } catch (error) {
        const simpler = isRefusal(error) ? simplerForm(asked, error.message) : undefined;
        if (!simpler) throw error;
        isOfForm &&= !isOfAnswer(error);
        asked = simpler;
      }
    }
  };

  return {
    complete: (request, signal) => {
      // A signal of its own: the client never removes its listeners, and the signal of a job outlives all of its calls.
      const own = AbortSignal.timeout(timing.allTriesMs ?? allTriesMs);
      return askInAnyForm(request, AbortSignal.any([...(signal ? [signal] : []), own])).catch(
        (error: unknown) => {
          throw signal?.aborted ? signal.reason : toFailure(error);
        },
      );
    },
    close: async () => undefined,
  };
}

/** The schema stands in the instructions too: not every endpoint that takes one for the answer heeds it. */
function messagesOf({ system, user, schema }: CompletionRequest) {
  const instructions = `${system}\n\nAnswer with JSON of this schema:\n${JSON.stringify(schema)}`;
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: user },
  ] as const satisfies OpenAI.Chat.Completions.ChatCompletionMessageParam[];
}

function parametersOf({ format, limit, temperature }: RequestForm, { name, schema }: CompletionRequest) {
  return {
    ...(format === 'json_schema'
      ? { response_format: { type: format, json_schema: { name, schema, strict: true } } }
      : {}),
    ...(format === 'json_object' ? { response_format: { type: format } } : {}),
    ...(limit ? { [limit]: tokensMax[limit] } : {}),
    ...(temperature === undefined ? {} : { temperature }),
  } as const;
}

/** The failure that an answer with status 200 tells of, as that of a gateway does. */
function toldFailure(error: object): APIError {
  const { code } = error as { readonly code?: unknown };
  const status = typeof code === 'number' && code >= 400 ? code : badGateway;
  return APIError.generate(status, { error }, undefined, new Headers());
}

/** Whether an endpoint may have refused the form of a request, and not the question. */
function isRefusal(error: unknown): error is APIError {
  return error instanceof APIError && (error.status === 400 || error.status === 422);
}

/** Whether it says that the model did not manage to write such an answer this time, as Groq does. */
function isOfAnswer(error: unknown): boolean {
  return /\bjson_validate_failed\b|\bfailed to generate json\b/i.test(reasonOf(error));
}

function toFailure(cause: unknown): Error {
  const status = cause instanceof APIError ? (cause.status as number | undefined) : undefined;
  const isDown =
    cause instanceof APIConnectionError ||
    cause instanceof APIUserAbortError ||
    (status !== undefined && (status >= 500 || [401, 402, 403, 408, 429].includes(status)));
  if (!isDown) {
    const reason = reasonOf(cause).slice(0, refusalCharactersMax);
    return new CompletionRefused(`the language model refuses the request: ${reason}`, { cause });
  }
  return new AppError('SERVICE_UNAVAILABLE', 'the language model does not answer; try again', {
    cause,
    retryAfterSeconds,
  });
}
