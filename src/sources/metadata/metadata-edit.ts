import { hasLane, isReservedName } from '../../databases/metadata-schema.js';
import type { MetadataField } from '../../databases/metadata-schema.js';
import { invalidInput } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import { readAcl } from '../acl.js';
import { checkJsonBytes } from '../ingest/json-size.js';
import { checkAgainstSchema } from '../ingest/new-source.js';
import type { JsonObject } from '../source.types.js';
import type { UpdateSourceMetadataInput } from './source-metadata.types.js';

/** An edit of an item that has passed every check. */
export interface MetadataEdit {
  /** Merged key by key. */
  readonly metadata: JsonObject;
  readonly additionalMetadata: JsonObject;
  /** Replaces the access list; undefined keeps it. */
  readonly acl: readonly string[] | undefined;
}

/** Reads and checks an edit. @throws AppError INVALID_INPUT naming the field and the limit */
export function readMetadataEdit(
  input: UpdateSourceMetadataInput,
  schema: readonly MetadataField[] | null,
): MetadataEdit {
  const { databaseMetadata, additionalMetadata } = input;
  const acl = readAcl(input.acl, 'acl');
  if (databaseMetadata == null && additionalMetadata == null && acl === undefined)
    throw invalidInput('database_metadata', 'or additional_metadata or acl is required', [
      'additional_metadata',
    ]);
  const edit = { metadata: databaseMetadata ?? {}, additionalMetadata: additionalMetadata ?? {}, acl };
  const keys = Object.keys(edit.metadata).length + Object.keys(edit.additionalMetadata).length;
  if (keys === 0 && acl === undefined)
    throw invalidInput('database_metadata', 'and additional_metadata are empty; send at least one key', [
      'additional_metadata',
    ]);
  checkMap(edit.metadata, 'database_metadata', LIMITS.metadataBytesMax);
  checkMap(edit.additionalMetadata, 'additional_metadata', LIMITS.additionalMetadataBytesMax);
  checkDeclared(edit.metadata, schema);
  return edit;
}

function checkMap(map: JsonObject, path: string, bytesMax: number): void {
  checkJsonBytes(map, path, bytesMax);
  for (const [key, value] of Object.entries(map)) {
    const levels = 1 + levelsOf(value);
    if (levels <= LIMITS.metadataNestingMax) continue;
    throw invalidInput(`${path}.${key}`, `nests ${levels} levels; at most ${LIMITS.metadataNestingMax}`);
  }
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

function checkDeclared(metadata: JsonObject, schema: readonly MetadataField[] | null): void {
  const reserved = Object.keys(metadata).find(isReservedName);
  if (reserved !== undefined) throw invalidInput(`database_metadata.${reserved}`, 'is a reserved key');
  checkAgainstSchema(metadata, 'database_metadata', schema);
  const emptied = schema?.find((field) => hasLane(field) && metadata[field.name] === null);
  if (emptied)
    throw invalidInput(`database_metadata.${emptied.name}`, 'has a dense or sparse lane and cannot be null');
}
