import { AppError, invalidInput } from '../../errors.js';
import type { IngestionErrorCode } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import type { Corpus } from '../../postgres/stores.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { ReceivedFile } from '../../storage/upload-spool.js';
import { readAppItem } from '../app-items/new-app-item.js';
import { readCorpus } from '../read-corpus.js';
import type { IngestInput } from './ingest.types.js';
import { readItemFields, readMemory } from './new-source.js';
import type { ItemContext, NewSource } from './new-source.js';
import { readGraphPayload } from './supplied-graph.js';

/** An item of a request with what is answered for it; a refused one is not stored. */
export interface Candidate {
  readonly source: NewSource;
  readonly refused: IngestionErrorCode | undefined;
  /** What came as an upload. */
  readonly file: ReceivedFile | undefined;
}

/** An uploaded file that is on disk completely. */
export interface ReceivedDocument {
  readonly file: IncomingFile;
  readonly received: ReceivedFile;
  /** Whether a parser for it exists. */
  readonly supported: boolean;
}

/**
 * Every item of a request, in the order of its results: documents, app items, memories.
 * @throws AppError INVALID_INPUT or PAYLOAD_TOO_LARGE when any part is malformed: then nothing is stored.
 */
export function readItems(
  input: IngestInput,
  documents: readonly ReceivedDocument[],
  context: Omit<ItemContext, 'graphs'>,
): Candidate[] {
  const corpus = readCorpus(input.type);
  checkCounts(input, corpus, documents);
  refuseTooLarge(documents);
  const { documentMetadata, appKnowledge, memories } = input;
  const named = [documentMetadata, appKnowledge, memories].flatMap((list) =>
    (list ?? []).flatMap(({ id }) => (id ? [id] : [])),
  );
  const graphs = readGraphPayload(input.graphPayload, new Set(named));
  const items = { ...context, graphs };
  const candidates = [
    ...documents.map((document, index) => readDocument(document, { input, index, context: items })),
    ...(appKnowledge ?? []).map((item, index): Candidate => {
      const path = `app_knowledge[${index}]`;
      const source = readAppItem(item, path, items);
      refuseEmpty(source, path);
      return { source, refused: undefined, file: undefined };
    }),
    ...(memories ?? []).map((memory, index): Candidate => ({
      source: readMemory(memory, `memories[${index}]`, items),
      refused: undefined,
      file: undefined,
    })),
  ];
  refuseRepeatedIds(candidates, corpus, documents.length);
  return candidates;
}

/**
 * An item with people or markup but no words is indexed and ends with E2002; one with nothing at all was sent
 * by mistake.
 */
function refuseEmpty({ app }: NewSource, path: string): void {
  if (!app) return;
  const { title, description, content, fields, attachments, comments } = app;
  if (title ?? description ?? content) return;
  if (Object.keys(fields).length + attachments.length + comments.length > 0) return;
  throw invalidInput(
    `${path}.fields`,
    'hold nothing, and there is no title, description, content, attachment or comment',
  );
}

function readDocument(
  { file, received, supported }: ReceivedDocument,
  { input, index, context }: { input: IngestInput; index: number; context: ItemContext },
): Candidate {
  const item = input.documentMetadata?.[index] ?? {};
  const fields = readItemFields(item, `document_metadata[${index}]`, context);
  return {
    refused: supported ? undefined : 'E1002',
    file: received,
    source: {
      ...fields,
      title: file.filename || fields.id,
      filename: file.filename,
      contentType: file.contentType ?? null,
      contentBytes: received.bytes,
      storageKey: null,
      memory: null,
      app: null,
      expiresAt: null,
    },
  };
}

function checkCounts(input: IngestInput, corpus: Corpus, documents: readonly ReceivedDocument[]): void {
  const { documentMetadata, appKnowledge, memories } = input;
  const appItems = appKnowledge?.length ?? 0;
  checkMetadataCount(documentMetadata, documents);
  if (corpus === 'memory') {
    if (documents.length > 0) throw invalidInput('documents', 'are only for type knowledge');
    if (appItems > 0) throw invalidInput('app_knowledge', 'is only for type knowledge');
    if (!memories?.length) throw invalidInput('memories', 'must hold at least one item');
    checkCount('memories', memories.length, LIMITS.itemsPerRequestMax);
    return;
  }
  if (memories?.length) throw invalidInput('memories', 'are only for type memory');
  if (documents.length + appItems === 0)
    throw invalidInput('documents', 'or app_knowledge must hold at least one item', ['app_knowledge']);
  checkCount('documents', documents.length, LIMITS.filesPerRequestMax);
  if (documents.length + appItems > LIMITS.itemsPerRequestMax) {
    throw invalidInput(
      'app_knowledge',
      `has ${appItems} items beside ${documents.length} documents; at most ${LIMITS.itemsPerRequestMax} a request`,
    );
  }
}

function checkMetadataCount(
  given: IngestInput['documentMetadata'],
  documents: readonly ReceivedDocument[],
): void {
  if (!given || given.length === documents.length) return;
  throw invalidInput(
    'document_metadata',
    `has ${given.length} items for ${documents.length} documents; send one per file`,
  );
}

function checkCount(list: string, count: number, max: number): void {
  if (count > max) throw invalidInput(list, `has ${count} items; at most ${max} a request`);
}

function refuseTooLarge(documents: readonly ReceivedDocument[]): void {
  const tooLarge = documents.find(({ received }) => received.tooLarge);
  if (!tooLarge) return;
  throw new AppError(
    'PAYLOAD_TOO_LARGE',
    `documents: "${tooLarge.file.filename}" is larger than ${LIMITS.fileBytesMax} bytes; nothing of this request was stored`,
  );
}

function refuseRepeatedIds(candidates: readonly Candidate[], corpus: Corpus, documents: number): void {
  const seen = new Set<string>();
  for (const [index, { source }] of candidates.entries()) {
    const inList = corpus === 'knowledge' ? `document_metadata[${index}]` : `memories[${index}]`;
    const path = source.app ? `app_knowledge[${index - documents}]` : inList;
    if (seen.has(source.id)) throw invalidInput(`${path}.id`, `"${source.id}" stands twice in this request`);
    seen.add(source.id);
  }
}
