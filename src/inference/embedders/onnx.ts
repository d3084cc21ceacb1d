import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../errors.js';
import { batchesOf } from '../../lib/batches-of.js';
import { reasonOf } from '../../lib/reason-of.js';
import { StartupError } from '../../lib/startup-error.js';
import type { Embedder } from '../embedder.js';
import { trainedModel } from './trained-model.js';

/** How EMBEDDINGS_URL begins when it names a folder of ONNX models: onnx:/path/to/models. */
export const onnxScheme = 'onnx:';

const textsPerRunMax = 16;
const packageName = '@huggingface/transformers';
/** The files that a model may come as, best first. */
const weights = { 'onnx/model.onnx': 'fp32', 'onnx/model_quantized.onnx': 'q8' } as const;

interface Tensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

type Extractor = ((texts: string[], options: { pooling: string; normalize: true }) => Promise<Tensor>) & {
  dispose(): Promise<unknown>;
};

/** The part of the package that is used. Users install it, so its types are not at hand. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: 'feature-extraction', model: string, options: object): Promise<Extractor>;
}

const poolingSchema = z.object({
  pooling_mode_cls_token: z.boolean().optional(),
  pooling_mode_lasttoken: z.boolean().optional(),
});
const promptsSchema = z.object({ prompts: z.record(z.string(), z.string()).optional() });

/**
 * An ONNX model in a folder, run in this process by @huggingface/transformers if the user has installed it;
 * nothing is ever downloaded. Pooling, and what is written before queries and documents, are read from the
 * model's files as sentence-transformers writes them.
 * @throws StartupError when the package or the model is missing
 */
export async function createOnnxEmbedder(
  { url, model }: { url: string; model: string },
  load: () => Promise<unknown> = () => import(packageName),
): Promise<Embedder> {
  const folder = folderOf(url);
  const { dtype, pooling, prompts } = readModel(join(folder, model));
  const extract = await openModel(load, { folder, model, dtype });
  const run = (texts: string[]) => extract(texts, { pooling, normalize: true });
  const probed = await run(['dimensions']).catch((error: unknown) => {
    throw new StartupError(`the model ${model} (EMBEDDINGS_MODEL) does not run: ${reasonOf(error)}`);
  });
  const dimensions = probed.dims.at(-1) ?? 0;
  const described = trainedModel(model, dimensions);

  const embed = async (
    texts: readonly string[],
    prompt: string,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (const some of batchesOf(texts, textsPerRunMax)) {
      signal?.throwIfAborted();
      const { data } = await run(some.map((text) => prompt + text)).catch((cause: unknown) => {
        throw new AppError('SERVICE_UNAVAILABLE', 'the embedding model fails; try again', { cause });
      });
      some.forEach((text, index) => {
        // The model would make a vector of an empty text too, which would be near to everything.
        const vector = new Float32Array(dimensions);
        if (text.trim() !== '')
          for (let n = 0; n < dimensions; n += 1) vector[n] = data[index * dimensions + n] ?? 0;
        vectors.push(vector);
      });
    }
    return vectors;
  };
  return {
    ...described,
    embedDocuments: (texts, signal) => embed(texts, prompts.document, signal),
    embedQuery: async (text, signal) => {
      const [vector] = await embed([text], prompts.query, signal);
      return vector ?? new Float32Array(dimensions);
    },
    close: async () => {
      await extract.dispose();
    },
  };
}

/** The folder that such a URL names: onnx:/models, onnx:///models or onnx:./models. */
function folderOf(url: string): string {
  return resolve(decodeURIComponent(url.slice(onnxScheme.length).replace(/^\/\/(?=\/)/, '')));
}

/** @throws StartupError when the folder holds no weights. */
function readModel(folder: string) {
  const found = Object.entries(weights).find(([file]) => existsSync(join(folder, file)));
  if (!found) {
    throw new StartupError(
      `no ONNX model in ${folder} (EMBEDDINGS_URL and EMBEDDINGS_MODEL): it needs ${Object.keys(weights).join(' or ')}`,
    );
  }
  const pooled = readJson(join(folder, '1_Pooling', 'config.json'), poolingSchema);
  const prompts = readJson(join(folder, 'config_sentence_transformers.json'), promptsSchema)?.prompts ?? {};
  return {
    dtype: found[1],
    pooling: pooled?.pooling_mode_cls_token ? 'cls' : pooled?.pooling_mode_lasttoken ? 'last_token' : 'mean',
    prompts: {
      query: prompts['query'] ?? '',
      document: prompts['document'] ?? prompts['passage'] ?? '',
    },
  };
}

/** Undefined when there is no such file. @throws StartupError when its content is not as expected */
function readJson<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new StartupError(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

async function openModel(
  load: () => Promise<unknown>,
  { folder, model, dtype }: { folder: string; model: string; dtype: string },
): Promise<Extractor> {
  const transformers = (await load().catch((error: unknown) => {
    throw new StartupError(
      `EMBEDDINGS_URL=${onnxScheme}... needs the package ${packageName} (npm install --no-save --ignore-scripts ${packageName}): ${reasonOf(error)}`,
    );
  })) as Transformers;
  transformers.env.allowRemoteModels = false;
  transformers.env.localModelPath = folder;
  const options = { dtype, device: 'cpu', local_files_only: true };
  return transformers.pipeline('feature-extraction', model, options).catch((error: unknown) => {
    throw new StartupError(`the model ${join(folder, model)} cannot be opened: ${reasonOf(error)}`);
  });
}
