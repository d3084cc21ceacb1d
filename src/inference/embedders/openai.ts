import OpenAI from 'openai';
import { z } from 'zod';
import type { ModelConfig } from '../../config.js';
import { AppError, invalidInput } from '../../errors.js';
import { reasonOf } from '../../lib/reason-of.js';
import { StartupError } from '../../lib/startup-error.js';
import { LIMITS } from '../../limits.js';
import { RefusedTextError, RefusingProviderError, UnusableVectorsError } from '../embedder.js';
import type { Embedder } from '../embedder.js';
import { FittingRequests, isRefusedBy } from '../fitting-requests.js';
import { openAiClients } from '../openai-clients.js';
import { trainedModel } from './trained-model.js';

const textsPerRequestMax = 64;
const requestsMax = 4;
const timeoutMs = 30_000;
const retriesMax = 1;
const retryAfterSeconds = 5;
/** A key that is wrong, lacks rights or is not paid for; an address or model that does not exist. */
const providerRefusals: ReadonlySet<number> = new Set([401, 402, 403, 404]);

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })),
});

/**
 * An OpenAI-compatible /embeddings endpoint. Asks once for 1536 dimensions, the documented default, and
 * uses the model's own number if it cannot make that many. `knownDimensions` is asked when the endpoint is down: with
 * them, the endpoint is looked for again when something is to be embedded.
 * @throws StartupError when the endpoint does not answer with vectors
 */
export async function createOpenAiEmbedder(
  config: ModelConfig,
  knownDimensions: (reason: string) => Promise<number | undefined> = () => Promise.resolve(undefined),
): Promise<Embedder> {
  const likely = requestsOf(config);
  let found: FoundEndpoint | undefined;
  const dimensions = await findVectors(likely).then(
    (first) => (found = first).dimensions,
    async (error: unknown) => {
      const known = isOutage(error) ? await knownDimensions(reasonOf(error)) : undefined;
      if (known !== undefined) return known;
      const { host } = new URL(config.url);
      throw new StartupError(
        `the embedding provider (EMBEDDINGS_URL ${host}) does not answer: ${reasonOf(error)}`,
      );
    },
  );
  const ask = async (texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    found ??= await findVectors(likely, signal).catch((cause: unknown) => {
      // It refuses this server, and no text.
      throw new Error(reasonOf(cause), { cause });
    });
    return found.request([...texts], found.asked, signal);
  };
  const described = trainedModel(config.model, dimensions);

  const requests = new FittingRequests({
    request: (texts, signal: AbortSignal | undefined) => failingClearly(dimensions, () => ask(texts, signal)),
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

interface FoundEndpoint {
  readonly request: VectorRequest;
  readonly dimensions: number;
  /** The dimensions that it is asked for; undefined when it is not to be asked. */
  readonly asked: number | undefined;
}

/** Requests by the likely addresses, and by the ways to write numbers: not every provider knows `float`. */
function requestsOf(config: ModelConfig): VectorRequest[] {
  const clients = openAiClients(config, 'embeddings', { timeout: timeoutMs, maxRetries: retriesMax });
  return clients.flatMap((client) =>
    (['float', undefined] as const).map((encoding) => requester(client, config.model, encoding)),
  );
}

/** The client asks for base64, which it decodes, where no encoding is given. */
function requester(client: OpenAI, model: string, encoding: 'float' | undefined): VectorRequest {
  return async (input, dimensions, signal) => {
    const answer = await client.embeddings.create(
      {
        model,
        input,
        ...(encoding ? { encoding_format: encoding } : {}),
        ...(dimensions ? { dimensions } : {}),
      },
      // One of its own: the client never removes its listeners.
      signal ? { signal: AbortSignal.any([signal]) } : {},
    );
    return readVectors(answer, input.length);
  };
}

/** The first request that is answered with vectors, and their dimensions. @throws why the last one is not */
async function findVectors(
  [request, ...others]: readonly VectorRequest[],
  signal?: AbortSignal,
): Promise<FoundEndpoint> {
  if (!request) throw new Error('no address');
  try {
    return { request, ...(await probe(request, signal)) };
  } catch (error) {
    if (others.length === 0 || isOutage(error)) throw error;
    return findVectors(others, signal);
  }
}

async function probe(
  request: VectorRequest,
  signal: AbortSignal | undefined,
): Promise<Omit<FoundEndpoint, 'request'>> {
  const wanted = LIMITS.embeddingsDimensionDefault;
  let failed: Error | undefined;
  const [shortened] = await request(['dimensions'], wanted, signal).catch((error: unknown) => {
    if (!isRefusal(error)) failed = error instanceof Error ? error : new Error(reasonOf(error));
    return [];
  });
  if (shortened?.length === wanted) return { dimensions: wanted, asked: wanted };
  const [own] = await request(['dimensions'], undefined, signal);
  const dimensions = own?.length ?? 0;
  // It may be able to after all: longer vectors would count as another model's, and all databases of this one
  // would wait.
  if (failed !== undefined && dimensions > wanted) throw failed;
  return { dimensions, asked: undefined };
}

/** Whether an endpoint is not there, or not able to answer anything now. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError)) return false;
  const { status } = error as { status: number | undefined };
  return status === undefined || status >= 500 || [408, 429].includes(status);
}

function isRefusal(error: unknown): error is AnsweredError {
  return isApiError(error) && isRefusedBy(error.status, () => error.message);
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
