import { misfit } from '../databases/metadata-schema.js';
import type { MetadataField } from '../databases/metadata-schema.js';
import { invalidInput } from '../errors.js';
import { LIMITS } from '../limits.js';
import type { DocumentMetadataInput, MemoryInput } from './ingest.types.js';
import { readAcl } from './acl.js';
import type { Acl } from './acl.js';
import type { AppContent, JsonObject, MemoryContent } from './source.types.js';

/** An item that passed every check of its request, before it is stored. */
export interface NewSource {
  readonly id: string;
  readonly title: string;
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly contentBytes: number;
  readonly storageKey: string | null;
  readonly memory: MemoryContent | null;
  readonly app: AppContent | null;
  /** Whether preferences, facts and decisions are to be extracted. */
  readonly infer: boolean;
  /** When the item vanishes from every read. */
  readonly expiresAt: Date | null;
  readonly metadata: JsonObject;
  readonly additionalMetadata: JsonObject;
  readonly declaredRelations: unknown;
  /** Undefined: none was sent; a version before it hands down its own. */
  readonly acl: Acl | undefined;
  readonly evidenceKind: string | null;
  readonly evidenceSubject: string | null;
}

/** What items of a request are read with. */
export interface ItemContext {
  /** The metadata schema of the database. */
  readonly schema: readonly MetadataField[] | null;
  /** The access list of items that have none of their own. */
  readonly acl: Acl | undefined;
  /** Makes the ids of items that come without one. */
  readonly newId: () => string;
}

/** What documents and memories have in common. */
export type ItemFields = Pick<
  NewSource,
  | 'id'
  | 'infer'
  | 'metadata'
  | 'additionalMetadata'
  | 'declaredRelations'
  | 'acl'
  | 'evidenceKind'
  | 'evidenceSubject'
>;

const userNameDefault = 'User';
const titleCharactersMax = 80;

/** Checks the metadata of one document or memory. @throws AppError INVALID_INPUT naming the field and the bound. */
export function readItemFields(
  item: DocumentMetadataInput | MemoryInput,
  path: string,
  { schema, acl, newId }: ItemContext,
): ItemFields {
  const metadata = item.metadata ?? {};
  const additionalMetadata = item.additionalMetadata ?? {};
  checkBytes(metadata, `${path}.metadata`, LIMITS.metadataBytesMax);
  checkBytes(additionalMetadata, `${path}.additional_metadata`, LIMITS.additionalMetadataBytesMax);
  checkAgainstSchema(metadata, `${path}.metadata`, schema);
  const evidence = item as DocumentMetadataInput;
  return {
    id: item.id == null || item.id === '' ? newId() : readId(item.id, `${path}.id`),
    metadata,
    additionalMetadata,
    declaredRelations: item.relations ?? null,
    acl: readAcl(item.acl, `${path}.acl`) ?? acl,
    evidenceKind: readEvidence(evidence.evidenceKind, `${path}.evidence_kind`),
    evidenceSubject: readEvidence(evidence.evidenceSubject, `${path}.evidence_subject`),
    infer: item.infer ?? false,
  };
}

/** Checks one memory. @throws AppError INVALID_INPUT naming the field and the bound. */
export function readMemory(memory: MemoryInput, path: string, context: ItemContext): NewSource {
  const fields = readItemFields(memory, path, context);
  const text = memory.text?.trim() ? memory.text : null;
  const pairs = memory.userAssistantPairs?.length ? memory.userAssistantPairs : null;
  if (text === null && pairs === null) {
    throw invalidInput(path, 'needs text or user_assistant_pairs');
  }
  const content: MemoryContent = {
    text,
    userAssistantPairs: pairs?.map(({ user, assistant }) => ({ user, assistant })) ?? null,
    isMarkdown: memory.isMarkdown ?? false,
    userName: memory.userName || userNameDefault,
    observationDate: readDate(memory.observationDate, `${path}.observation_date`),
    customInstructions: readInstructions(memory, path),
  };
  const firstWords = text ?? pairs?.[0]?.user ?? '';
  return {
    ...fields,
    title: memory.title || firstLine(firstWords) || fields.id,
    filename: null,
    contentType: null,
    contentBytes: Buffer.byteLength(JSON.stringify(content)),
    storageKey: null,
    memory: content,
    app: null,
    expiresAt: null,
  };
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return [...line].slice(0, titleCharactersMax).join('').trim();
}

function readId(id: string, path: string): string {
  const bytes = Buffer.byteLength(id);
  if (bytes > LIMITS.itemIdBytesMax)
    throw invalidInput(path, `has ${bytes} bytes; at most ${LIMITS.itemIdBytesMax}`);
  if (id.includes(',')) throw invalidInput(path, `"${id}" must not contain a comma`);
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(id)) throw invalidInput(path, 'must not contain control characters');
  return id;
}

function readEvidence(value: string | null | undefined, path: string): string | null {
  if (value == null) return null;
  if (value.length > LIMITS.evidenceCharactersMax) {
    throw invalidInput(path, `has ${value.length} characters; at most ${LIMITS.evidenceCharactersMax}`);
  }
  return value;
}

function readInstructions({ customInstructions: given, infer }: MemoryInput, path: string): string | null {
  if (given == null || given.trim() === '') return null;
  const field = `${path}.custom_instructions`;
  if (!infer) throw invalidInput(field, 'are only for memories with infer: true');
  if (given.length > LIMITS.customInstructionsCharactersMax) {
    throw invalidInput(
      field,
      `has ${given.length} characters; at most ${LIMITS.customInstructionsCharactersMax}`,
    );
  }
  return given;
}

function readDate(value: string | null | undefined, path: string): string | null {
  if (value == null || value === '') return null;
  const date = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined;
  if (!date || Number.isNaN(date.getTime()) || !date.toISOString().startsWith(value)) {
    throw invalidInput(path, `"${value}" is not a date of the form YYYY-MM-DD`);
  }
  return value;
}

function checkBytes(value: JsonObject, path: string, bytesMax: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > bytesMax) throw invalidInput(path, `has ${bytes} bytes as compact JSON; at most ${bytesMax}`);
}

function checkAgainstSchema(
  metadata: JsonObject,
  path: string,
  schema: readonly MetadataField[] | null,
): void {
  if (!schema) return;
  for (const [key, value] of Object.entries(metadata)) {
    const field = schema.find((candidate) => candidate.name === key);
    if (!field)
      throw invalidInput(`${path}.${key}`, 'is not declared in the metadata schema of the database');
    const problem = misfit(field, value);
    if (problem) throw invalidInput(`${path}.${key}`, problem);
  }
}
