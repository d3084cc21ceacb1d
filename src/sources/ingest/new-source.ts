import { valueProblem } from '../../databases/metadata-schema.js';
import type { MetadataField } from '../../databases/metadata-schema.js';
import { invalidInput } from '../../errors.js';
import { clip } from '../../lib/characters.js';
import { readIsoTime } from '../../lib/iso-time.js';
import { boundedText } from '../../lib/text-check.js';
import { LIMITS } from '../../limits.js';
import { readAcl } from '../acl.js';
import type { Acl } from '../acl.js';
import type { AppKnowledgeInput } from '../app-items/app-item.types.js';
import type { AppContent, JsonObject, MemoryContent } from '../source.types.js';
import { readRelations } from './declared-relations.js';
import type { DeclaredRelation } from './declared-relations.js';
import type { DocumentMetadataInput, MemoryInput } from './ingest.types.js';
import { readId } from './item-id.js';
import { checkJsonBytes } from './json-size.js';
import type { SuppliedGraph } from './supplied-graph.js';
import { userNameDefault } from './user-name.js';

/** An item that has passed every check of its request and is not stored yet. */
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
  /** When the item disappears from every read. */
  readonly expiresAt: Date | null;
  readonly metadata: JsonObject;
  readonly additionalMetadata: JsonObject;
  readonly declaredRelations: readonly DeclaredRelation[];
  /** Undefined when none was sent: it is then inherited from the version before. */
  readonly suppliedGraph: SuppliedGraph | undefined;
  /** Undefined when none was sent: it is then inherited from the version before. Null means everyone. */
  readonly acl: Acl | undefined;
  readonly evidenceKind: string | null;
  readonly evidenceSubject: string | null;
}

/** What the items of a request are read with. */
export interface ItemContext {
  /** Where they go; each may say so itself. */
  readonly database: string;
  readonly collection: string;
  /** The metadata schema of the database. */
  readonly schema: readonly MetadataField[] | null;
  /** The access list of items that bring none. */
  readonly acl: Acl | undefined;
  /** Makes ids for items that bring none. */
  readonly newId: () => string;
  /** Supplied graphs by item id. */
  readonly graphs: ReadonlyMap<string, SuppliedGraph>;
  readonly now: Date;
}

/** What documents, memories and app items have in common. */
export type ItemFields = Pick<
  NewSource,
  | 'id'
  | 'metadata'
  | 'additionalMetadata'
  | 'declaredRelations'
  | 'suppliedGraph'
  | 'acl'
  | 'evidenceKind'
  | 'evidenceSubject'
  | 'infer'
>;

const derivedTitleCharacters = 80;

/** Checks the metadata of one document, memory or app item. @throws AppError INVALID_INPUT naming the field and the bound. */
export function readItemFields(
  item: DocumentMetadataInput | MemoryInput | AppKnowledgeInput,
  path: string,
  { schema, acl, newId, graphs }: ItemContext,
): ItemFields {
  const metadata = item.metadata ?? {};
  const additionalMetadata = item.additionalMetadata ?? {};
  checkJsonBytes(metadata, `${path}.metadata`, LIMITS.metadataBytesMax);
  checkJsonBytes(additionalMetadata, `${path}.additional_metadata`, LIMITS.additionalMetadataBytesMax);
  checkAgainstSchema(metadata, `${path}.metadata`, schema);
  const evidence = item as DocumentMetadataInput;
  const id = item.id == null || item.id === '' ? newId() : readId(item.id, `${path}.id`);
  return {
    id,
    metadata,
    additionalMetadata,
    declaredRelations: readRelations(item.relations, `${path}.relations`),
    suppliedGraph: graphs.get(id),
    acl: readAcl(item.acl, `${path}.acl`) ?? acl,
    infer: item.infer ?? false,
    evidenceKind: readText(evidence.evidenceKind, `${path}.evidence_kind`, LIMITS.evidenceCharactersMax),
    evidenceSubject: readText(
      evidence.evidenceSubject,
      `${path}.evidence_subject`,
      LIMITS.evidenceCharactersMax,
    ),
  };
}

/** Checks one memory. @throws AppError INVALID_INPUT naming the field and the bound. */
export function readMemory(memory: MemoryInput, path: string, context: ItemContext): NewSource {
  refuseOtherPlace(memory, path, context);
  const fields = readItemFields(memory, path, context);
  const text = memory.text?.trim() ? memory.text : null;
  const given = memory.userAssistantPairs ?? [];
  const pairs = given.some(({ user, assistant }) => /\S/.test(user + assistant)) ? given : null;
  if (text === null && pairs === null) {
    throw invalidInput(path, 'needs text or user_assistant_pairs', ['user_assistant_pairs']);
  }
  const content: MemoryContent = {
    text,
    userAssistantPairs: pairs?.map(({ user, assistant }) => ({ user, assistant })) ?? null,
    isMarkdown: memory.isMarkdown ?? false,
    userName: readText(memory.userName, `${path}.user_name`, LIMITS.userNameCharactersMax) || userNameDefault,
    observationDate: readDate(memory.observationDate, `${path}.observation_date`),
    customInstructions: readInstructions(memory, path),
  };
  const title = readText(memory.title, `${path}.title`, LIMITS.titleCharactersMax) ?? '';
  return {
    ...fields,
    title: /\S/.test(title) ? title : firstLine(firstWordsOf(content)) || fields.id,
    filename: null,
    contentType: null,
    contentBytes: Buffer.byteLength(JSON.stringify(content)),
    storageKey: null,
    memory: content,
    app: null,
    expiresAt: readExpiry(memory.expiryTime, `${path}.expiry_time`, context.now),
  };
}

/** @throws AppError INVALID_INPUT for an item that names another place than its request */
export function refuseOtherPlace(
  item: { readonly database?: string | null; readonly collection?: string | null },
  path: string,
  context: Pick<ItemContext, 'database' | 'collection'>,
): void {
  for (const name of ['database', 'collection'] as const)
    if (item[name] && item[name] !== context[name])
      throw invalidInput(`${path}.${name}`, `"${item[name]}" is not that of the request, "${context[name]}"`);
}

function readExpiry(seconds: number | null | undefined, path: string, now: Date): Date | null {
  if (seconds == null) return null;
  if (seconds < 1 || seconds > LIMITS.expirySecondsMax)
    throw invalidInput(path, `must be 1 to ${LIMITS.expirySecondsMax} seconds, not ${seconds}`);
  return new Date(now.getTime() + seconds * 1000);
}

function readInstructions({ customInstructions: given, infer }: MemoryInput, path: string): string | null {
  if (given == null || given.trim() === '') return null;
  const field = `${path}.custom_instructions`;
  if (!infer) throw invalidInput(field, 'are only for memories with infer: true');
  return readText(given, field, LIMITS.customInstructionsCharactersMax);
}

/** What a memory begins with: its text, else what was said first, by the user where the user said anything. */
function firstWordsOf({ text, userAssistantPairs, isMarkdown }: MemoryContent): string {
  const pairs = userAssistantPairs ?? [];
  const said = [text ?? '', ...pairs.map(({ user }) => user), ...pairs.map(({ assistant }) => assistant)];
  const first = said.find((each) => /\S/.test(each)) ?? '';
  return isMarkdown ? withoutHeadingMark(first) : first;
}

/** Markdown without the mark of the heading that it begins with. */
export function withoutHeadingMark(text: string): string {
  return text.trim().replace(/^#{1,6}\s+/, '');
}

/** The beginning of a text as a title. */
export function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return clip(line, derivedTitleCharacters).trim();
}

/** A text within its bound, or null. @throws AppError INVALID_INPUT naming the field and the bound. */
function readText(value: string | null | undefined, path: string, charactersMax: number): string | null {
  return value == null ? null : boundedText(value, path, charactersMax);
}

function readDate(value: string | null | undefined, path: string): string | null {
  if (value == null || value === '') return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value) && readIsoTime(value)) return value;
  throw invalidInput(path, `"${value}" is not a date of the form YYYY-MM-DD`);
}

/** @throws AppError INVALID_INPUT for a key that a schema does not declare, or a value that does not fit. */
export function checkAgainstSchema(
  metadata: JsonObject,
  path: string,
  schema: readonly MetadataField[] | null,
): void {
  if (!schema) return;
  for (const [key, value] of Object.entries(metadata)) {
    const field = schema.find((candidate) => candidate.name === key);
    if (!field)
      throw invalidInput(`${path}.${key}`, 'is not declared in the metadata schema of the database');
    const problem = valueProblem(field, value);
    if (problem) throw invalidInput(`${path}.${key}`, problem);
  }
}
