import OpenAI from 'openai';
import { z } from 'zod';
import type { ModelConfig } from '../../config.js';
import { AppError, invalidInput } from '../../errors.js';
import { reasonOf } from '../../lib/reason-of.js';
import { StartupError } from '../../lib/startup-error.js';
import { LIMITS } from '../../limits.js';
import { RefusedTextError, RefusingProviderError, UnusableVectorsError } from '../embedder.js';
import type { Embedder } from '../embedder.js';
import { FittingRequests, tooMuchPattern } from '../fitting-requests.js';
import { openAiClients } from '../openai-clients.js';
import { trainedModel } from './trained-model.js';

const textsPerRequestMax = 64;
const requestsMax = 4;
const timeoutMs = 30_000;
const retriesMax = 1;
const retryAfterSeconds = 5;
/** Statuses with which a provider refuses texts; any other is a failure of the provider's own, unless it says so. */
const textRefusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** A key that is wrong, lacks rights or is not paid for; an address or model that does not exist. */
const providerRefusals: ReadonlySet<number> = new Set([401, 402, 403, 404]);

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })),
});

/**
 * An OpenAI-compatible /embeddings endpoint. Asks once for 1536 dimensions, the documented default, and
 * uses the model's own number if it cannot make that many.
 * @throws StartupError when the endpoint does not answer with vectors
 */
export async function createOpenAiEmbedder(config: ModelConfig): Promise<Embedder> {
  const { model } = config;
  const clients = openAiClients(config, 'embeddings', { timeout: timeoutMs, maxRetries: retriesMax });
  const { request, dimensions, asked } = await findVectors(
    clients.map((client) => requester(client, model)),
  ).catch((error: unknown) => {
    const { host } = new URL(config.url);
    throw new StartupError(
      `the embedding provider (EMBEDDINGS_URL ${host}) does not answer: ${reasonOf(error)}`,
    );
  });
  const described = trainedModel(model, dimensions);

  const requests = new FittingRequests({
    request: (texts, signal: AbortSignal | undefined) =>
      failingClearly(dimensions, () => request([...texts], asked, signal)),
    isRefusal: (error) => error instanceof RefusedTextError,
    textsMax: textsPerRequestMax,
    requestsMax,
  });
  return {
    ...described,
    embedDocuments: (texts, signal) => requests.resultsOf(texts, signal),
    embedQuery: async (text, signal) => {
      const [vector] = await requests.resultsOf([text], signal).catch((error: unknown) => {
        throw error instanceof RefusedTextError
          ? invalidInput('query', 'is refused by the embedding provider')
          : error;
      });
      return vector ?? new Float32Array(dimensions);
    },
    close: async () => undefined,
  };
}

/** Runs a request. @throws RefusedTextError, RefusingProviderError, UnusableVectorsError; AppError SERVICE_UNAVAILABLE */
async function failingClearly(
  dimensions: number,
  request: () => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  let vectors: Float32Array[];
  try {
    vectors = await request();
  } catch (cause) {
    if (isRefusal(cause)) {
      throw new RefusedTextError(`the embedding provider refuses a text (status ${cause.status})`, { cause });
    }
    if (isApiError(cause) && providerRefusals.has(cause.status))
      throw new RefusingProviderError(cause.status, cause);
    throw new AppError('SERVICE_UNAVAILABLE', 'the embedding provider does not answer; try again', {
      cause,
      retryAfterSeconds,
    });
  }
  const other = vectors.find((vector) => vector.length !== dimensions);
  if (other) {
    const problem = `vectors of ${other.length} dimensions, where its model had ${dimensions} when this server started`;
    throw new UnusableVectorsError(problem, retryAfterSeconds);
  }
  return vectors;
}

type VectorRequest = (
  input: string[],
  dimensions: number | undefined,
  signal?: AbortSignal,
) => Promise<Float32Array[]>;

function requester(client: OpenAI, model: string): VectorRequest {
  return async (input, dimensions, signal) => {
    const answer = await client.embeddings.create(
      { model, input, encoding_format: 'float', ...(dimensions ? { dimensions } : {}) },
      // One of its own: the client never removes its listeners.
      signal ? { signal: AbortSignal.any([signal]) } : {},
    );
    return readVectors(answer, input.length);
  };
}

/** The first address that answers with vectors, and their dimensions. @throws why the last one does not */
async function findVectors([request, ...others]: readonly VectorRequest[]): Promise<{
  request: VectorRequest;
  dimensions: number;
  asked: number | undefined;
}> {
  if (!request) throw new Error('no address');
  try {
    return { request, ...(await probe(request)) };
  } catch (error) {
    if (others.length === 0 || error instanceof OpenAI.APIConnectionError) throw error;
    return findVectors(others);
  }
}

async function probe(request: VectorRequest): Promise<{ dimensions: number; asked: number | undefined }> {
  const wanted = LIMITS.embeddingsDimensionDefault;
  let failed: Error | undefined;
  const [shortened] = await request(['dimensions'], wanted).catch((error: unknown) => {
    if (!isRefusal(error)) failed = error instanceof Error ? error : new Error(reasonOf(error));
    return [];
  });
  if (shortened?.length === wanted) return { dimensions: wanted, asked: wanted };
  const [own] = await request(['dimensions'], undefined);
  const dimensions = own?.length ?? 0;
  // It may be able to after all: longer vectors would count as another model's, and all databases of this one
  // would wait.
  if (failed !== undefined && dimensions > wanted) throw failed;
  return { dimensions, asked: undefined };
}

function isRefusal(error: unknown): error is AnsweredError {
  if (!isApiError(error)) return false;
  return textRefusals.has(error.status) || (error.status === 500 && tooMuchPattern.test(error.message));
}

type AnsweredError = Error & { readonly status: number };

function isApiError(error: unknown): error is AnsweredError {
  return error instanceof OpenAI.APIError && typeof error.status === 'number';
}

/**
 * The vectors in the order of their texts.
 * @throws Error when the answer does not hold one vector of numbers per text
 */
function readVectors(answer: unknown, count: number): Float32Array[] {
  const { data } = answerSchema.parse(answer);
  const inOrder = new Map(data.map(({ index, embedding }) => [index, embedding]));
  return Array.from({ length: count }, (_, index) => {
    const embedding = inOrder.get(index);
    if (!embedding || data.length !== count) throw new Error(`${data.length} vectors for ${count} texts`);
    return normalize(embedding);
  });
}

function normalize(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}
