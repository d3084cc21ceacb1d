import { collectionName } from '../../databases/collections.service.js';
import type { MetadataField } from '../../databases/metadata-schema.js';
import { invalidInput } from '../../errors.js';
import { boundedText } from '../../lib/text-check.js';
import { dayMs } from '../../lib/units.js';
import { LIMITS } from '../../limits.js';
import { readAcl } from '../../sources/acl.js';
import { checkJsonBytes } from '../../sources/ingest/json-size.js';
import { checkAgainstSchema } from '../../sources/ingest/new-source.js';
import type { JsonObject } from '../../sources/source.types.js';
import { readFilters, readInstructions } from '../management/connector-request.js';
import type { ResourceRow } from '../management/connector-rows.js';
import type { Provider } from '../provider.js';
import type {
  ConnectorResourceInput,
  ConnectorSyncMode,
  UpdateConnectorResourceInput,
} from './connector-resource.types.js';

/** As an access list: removes the resource's own, so that items are readable as the provider says. */
const asProviderSays = '*';

/** A database that a resource's items go to. */
export interface TargetDatabase {
  readonly id: number;
  readonly metadataSchema: readonly MetadataField[] | null;
}

/** What the resources of a request are read with. */
export interface ResourcesContext {
  readonly provider: Provider;
  /** Where items of resources without a database of their own go. */
  readonly connectorDatabase: TargetDatabase;
  /** The databases that resources name, by name. */
  readonly databases: ReadonlyMap<string, TargetDatabase>;
  /** Resources that are already configured, by id. */
  readonly configured: ReadonlyMap<string, ResourceRow>;
  /** Undefined: as before, at first the default. */
  readonly lookbackDays: number | undefined;
  readonly now: Date;
}

/** A resource that has passed every check, before the provider is asked about it. */
export interface ReadResource {
  readonly resourceId: string;
  /** Empty: the type that the provider says. */
  readonly resourceType: string;
  readonly name: string;
  readonly databaseId: number | null;
  readonly collection: string | null;
  readonly filters: JsonObject;
  readonly metadata: JsonObject;
  readonly additionalMetadata: JsonObject;
  readonly customInstructions: string | null;
  readonly acl: readonly string[] | null;
  readonly syncMode: `${ConnectorSyncMode}`;
  readonly lookbackDays: number;
  readonly backfillOldest: Date;
}

/** How many days back a resource is read. @throws AppError INVALID_INPUT naming the limits */
export function readLookback<Default extends number | undefined>(
  given: unknown,
  path: string,
  byDefault: Default,
): number | Default {
  if (given == null) return byDefault;
  const days = Number(given);
  if (typeof given !== 'number' || !Number.isInteger(days) || days < 1 || days > LIMITS.lookbackDaysMax)
    throw invalidInput(path, `must be a whole number, 1 to ${LIMITS.lookbackDaysMax}`);
  return days;
}

/**
 * The moment before which nothing is read. It changes only when another number of days is asked for, and
 * for a larger number it only moves back: otherwise items that have been synced would count as gone.
 */
function oldestFor(days: number, before: ResourceRow | undefined, now: Date): Date {
  const oldest = now.getTime() - days * dayMs;
  if (!before || days < before.lookbackDays) return new Date(oldest);
  return days === before.lookbackDays
    ? before.backfillOldest
    : new Date(Math.min(oldest, before.backfillOldest.getTime()));
}

/**
 * Checks the ids of the resources to configure. @throws AppError INVALID_INPUT for none, too many, a bad or a
 * repeated id
 */
export function checkResourceIds(resources: readonly ConnectorResourceInput[], pathOf: PathOf): void {
  const max = LIMITS.resourcesPerRequestMax;
  if (resources.length < 1 || resources.length > max)
    throw invalidInput('resources', `must have 1 to ${max} entries, not ${resources.length}`);
  const seen = new Set<string>();
  resources.forEach(({ resourceId }, index) => {
    const path = pathOf(index, 'resource_id');
    if (resourceId.trim() === '') throw invalidInput(path, 'must not be empty');
    boundedText(resourceId, path, LIMITS.resourceIdCharactersMax);
    if (seen.has(resourceId)) throw invalidInput(path, 'is in the list twice');
    seen.add(resourceId);
  });
}

/** The name of a resource's field, as the caller sent it. */
export type PathOf = (index: number, field: string) => string;

/** The name of the database that a resource goes to; null: that of its connector, which an empty name asks for. */
export function ownDatabase(
  { database }: Pick<ConnectorResourceInput, 'database'>,
  before: Pick<ResourceRow, 'database'> | undefined,
): string | null {
  return database === undefined ? (before?.database ?? null) : database || null;
}

function ownCollection(
  { collection }: Pick<ConnectorResourceInput, 'collection'>,
  before: Pick<ResourceRow, 'collection'> | undefined,
  path: string,
): string | null {
  if (collection === undefined) return before?.collection ?? null;
  return collection ? collectionName(collection, path) : null;
}

/** Checks one resource. @throws AppError INVALID_INPUT naming the field and the bound. */
export function readResource(
  input: ConnectorResourceInput,
  pathOf: (field: string) => string,
  context: ResourcesContext,
): ReadResource {
  const before = context.configured.get(input.resourceId);
  const database = ownDatabase(input, before);
  const own = database === null ? undefined : context.databases.get(database);
  const { lookback_days: lookback, ...filters } = input.filters ?? {};
  const lookbackByDefault = context.lookbackDays ?? before?.lookbackDays ?? LIMITS.lookbackDaysDefault;
  const lookbackDays = readLookback(lookback, pathOf('filters.lookback_days'), lookbackByDefault);
  const { metadataSchema } = own ?? context.connectorDatabase;
  return {
    resourceId: input.resourceId,
    resourceType: boundedText(
      input.resourceType ?? '',
      pathOf('resource_type'),
      LIMITS.resourceNameCharactersMax,
    ),
    name: boundedText(input.name ?? '', pathOf('name'), LIMITS.resourceNameCharactersMax).trim(),
    // Who configures it meanwhile may have given it another one.
    databaseId: own?.id ?? (database === null ? null : (before?.databaseId ?? null)),
    collection: ownCollection(input, before, pathOf('collection')),
    filters:
      before && input.filters === undefined
        ? before.filters
        : readFilters(context.provider, filters, pathOf('filters')),
    metadata: mergeMetadata(before?.metadata, input.metadata, { path: pathOf('metadata'), metadataSchema }),
    additionalMetadata: mergeAdditional(
      before?.additionalMetadata,
      input.additionalMetadata,
      pathOf('additional_metadata'),
    ),
    customInstructions: readOwnInstructions(
      before?.customInstructions,
      input.customInstructions,
      pathOf('custom_instructions'),
    ),
    acl: readRule(before?.acl, input.acl, pathOf('acl')),
    syncMode: input.syncMode ?? before?.syncMode ?? 'rescan',
    lookbackDays,
    backfillOldest: oldestFor(lookbackDays, before, context.now),
  };
}

/** The changes to a resource. */
export interface ReadResourceUpdate {
  readonly customInstructions: string | null;
  readonly acl: readonly string[] | null;
  readonly filters: JsonObject;
  readonly lookbackDays: number;
  readonly backfillOldest: Date;
  readonly metadata: JsonObject;
  readonly additionalMetadata: JsonObject;
}

/** What the changes to a resource are read with. */
interface ResourceUpdateContext extends Pick<TargetDatabase, 'metadataSchema'> {
  readonly provider: Provider;
  readonly now: Date;
}

/** @throws AppError INVALID_INPUT naming the field and the bound, or when nothing is to change. */
export function readResourceUpdate(
  input: UpdateConnectorResourceInput,
  before: ResourceRow,
  { provider, metadataSchema, now }: ResourceUpdateContext,
): ReadResourceUpdate {
  const { customInstructions, acl, filters, metadata, additionalMetadata } = input;
  if ([customInstructions, acl, filters, metadata, additionalMetadata].every((value) => value === undefined))
    throw invalidInput(
      'input',
      'must have at least one of custom_instructions, acl, filters, metadata, additional_metadata',
      ['custom_instructions', 'additional_metadata'],
    );
  const { lookback_days: lookback, ...own } = filters ?? {};
  const lookbackDays = readLookback(lookback, 'filters.lookback_days', before.lookbackDays);
  return {
    customInstructions: readOwnInstructions(
      before.customInstructions,
      customInstructions,
      'custom_instructions',
    ),
    acl: readRule(before.acl, acl, 'acl'),
    filters: filters === undefined ? before.filters : readFilters(provider, own, 'filters'),
    lookbackDays,
    backfillOldest: oldestFor(lookbackDays, before, now),
    metadata: mergeMetadata(before.metadata, metadata, { path: 'metadata', metadataSchema }),
    additionalMetadata: mergeAdditional(before.additionalMetadata, additionalMetadata, 'additional_metadata'),
  };
}

function mergeMetadata(
  before: JsonObject | undefined,
  given: JsonObject | null | undefined,
  { path, metadataSchema }: { path: string } & Pick<TargetDatabase, 'metadataSchema'>,
): JsonObject {
  const merged = { ...before, ...given };
  checkJsonBytes(merged, path, LIMITS.metadataBytesMax);
  checkAgainstSchema(merged, path, metadataSchema);
  return merged;
}

function mergeAdditional(
  before: JsonObject | undefined,
  given: JsonObject | null | undefined,
  path: string,
): JsonObject {
  const merged = { ...before, ...given };
  checkJsonBytes(merged, path, LIMITS.resourceAdditionalMetadataBytesMax);
  return merged;
}

/** Null and an empty text mean the connector's own instructions. */
function readOwnInstructions(
  before: string | null | undefined,
  given: string | null | undefined,
  path: string,
): string | null {
  if (given === undefined) return before ?? null;
  return given === null || given === '' ? null : readInstructions(given, path);
}

function readRule(
  before: readonly string[] | null | undefined,
  given: readonly string[] | null | undefined,
  path: string,
): readonly string[] | null {
  const acl = readAcl(given, path);
  if (acl === undefined) return before ?? null;
  return acl.length === 1 && acl[0] === asProviderSays ? null : acl;
}
