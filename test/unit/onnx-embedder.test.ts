import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createOnnxEmbedder } from '../../src/inference/embedders/onnx.js';

/** What @huggingface/transformers offers, as far as it is used; its vectors tell how a text begins. */
class FakeTransformers {
  readonly env = { allowRemoteModels: true, localModelPath: '' };
  readonly opened: unknown[] = [];
  readonly runs: { texts: string[]; options: unknown }[] = [];
  fails = false;
  disposed = false;

  async pipeline(...given: unknown[]) {
    this.opened.push(given);
    const extract = async (texts: string[], options: unknown) => {
      if (this.fails) throw new Error('out of memory');
      this.runs.push({ texts, options });
      const data = Float32Array.from(texts.flatMap((text) => [text.startsWith('cat') ? 1 : 0, text.length]));
      return { dims: [texts.length, 2], data };
    };
    return Object.assign(extract, { dispose: async () => void (this.disposed = true) });
  }
}

/** A folder with one model, made of these files. */
function modelFolder(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'onnx models '));
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, 'me', 'tiny', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content));
  }
  return folder;
}

const open = async (files: Record<string, unknown>, fake = new FakeTransformers()) => {
  const folder = modelFolder(files);
  const url = new URL(`onnx:${encodeURI(folder)}`).href;
  return { fake, folder, embedder: await createOnnxEmbedder({ url, model: 'me/tiny' }, async () => fake) };
};

describe('an ONNX model in a folder', () => {
  test('is opened from that folder alone, and says its dimensions', async () => {
    const { fake, folder, embedder } = await open({ 'onnx/model.onnx': 1, 'onnx/model_quantized.onnx': 1 });
    expect(fake.env).toEqual({ allowRemoteModels: false, localModelPath: folder });
    expect(fake.opened).toEqual([
      ['feature-extraction', 'me/tiny', { dtype: 'fp32', device: 'cpu', local_files_only: true }],
    ]);
    expect(embedder).toMatchObject({ model: 'me/tiny', dimensions: 2, cached: true });
    await embedder.close();
    expect(fake.disposed).toBe(true);
  });

  test('embeds in order and in small runs; nothing has no direction', async () => {
    const { fake, embedder } = await open({ 'onnx/model_quantized.onnx': 1 });
    expect(fake.opened).toEqual([[expect.anything(), 'me/tiny', expect.objectContaining({ dtype: 'q8' })]]);
    const texts = Array.from({ length: 40 }, (_, n) =>
      n === 20 ? ' ' : `${n === 30 ? 'cat ' : ''}${'x'.repeat(n)}`,
    );
    const vectors = await embedder.embedDocuments(texts);
    expect(vectors.map((vector) => [...vector])).toEqual(
      texts.map((text, n) => (text.trim() === '' ? [0, 0] : [n === 30 ? 1 : 0, text.length])),
    );
    expect(fake.runs.slice(1).map((run) => run.texts.length)).toEqual([16, 16, 8]);
    expect(await embedder.embedDocuments([])).toEqual([]);
  });

  test('is pooled and prompted as its files say', async () => {
    const plain = await open({ 'onnx/model.onnx': 1 });
    await plain.embedder.embedQuery('cat');
    expect(plain.fake.runs.at(-1)).toEqual({ texts: ['cat'], options: { pooling: 'mean', normalize: true } });
    const { fake, embedder } = await open({
      'onnx/model.onnx': 1,
      '1_Pooling/config.json': { pooling_mode_cls_token: true },
      'config_sentence_transformers.json': { prompts: { query: 'query: ', passage: 'passage: ' } },
    });
    await embedder.embedQuery('cat');
    await embedder.embedDocuments(['dog']);
    expect(fake.runs.slice(1)).toEqual([
      { texts: ['query: cat'], options: { pooling: 'cls', normalize: true } },
      { texts: ['passage: dog'], options: { pooling: 'cls', normalize: true } },
    ]);
  });

  test('that fails is an outage, not a refusal', async () => {
    const { fake, embedder } = await open({ 'onnx/model.onnx': 1 });
    fake.fails = true;
    await expect(embedder.embedDocuments(['cat'])).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
    const aborted = AbortSignal.abort(new Error('stopped'));
    await expect(embedder.embedDocuments(['cat'], aborted)).rejects.toThrow('stopped');
  });

  test('is refused with one clear line when package, weights, settings or the model itself are of no use', async () => {
    const url = (folder: string) => `onnx://${encodeURI(folder)}`;
    const start = (folder: string, load: () => Promise<unknown>) =>
      createOnnxEmbedder({ url: url(folder), model: 'me/tiny' }, load);
    const complete = modelFolder({ 'onnx/model.onnx': 1 });
    const missing = () => Promise.reject(new Error("Cannot find package '@huggingface/transformers'"));
    await expect(start(complete, missing)).rejects.toThrow(
      /needs the package @huggingface\/transformers \(npm install/,
    );
    const fake = new FakeTransformers();
    const load = async () => fake;
    await expect(start(modelFolder({}), load)).rejects.toThrow(
      /no ONNX model in .*me\/tiny .*onnx\/model\.onnx/,
    );
    const odd = modelFolder({
      'onnx/model.onnx': 1,
      '1_Pooling/config.json': { pooling_mode_cls_token: 'yes' },
    });
    await expect(start(odd, load)).rejects.toThrow(/1_Pooling\/config\.json cannot be read/);
    fake.fails = true;
    await expect(start(complete, load)).rejects.toThrow(/me\/tiny .*does not run: out of memory/);
    fake.pipeline = () => Promise.reject(new Error('bad protobuf'));
    await expect(start(complete, load)).rejects.toThrow(/cannot be opened: bad protobuf/);
  });
});
