import { valueProblem } from '../../databases/metadata-schema.js';
import type { MetadataField } from '../../databases/metadata-schema.js';
import { invalidInput } from '../../errors.js';
import { readIsoTime } from '../../lib/iso-time.js';
import { LIMITS } from '../../limits.js';
import type { AddParameter } from '../../postgres/sql-parameters.js';
import { metadataSql } from '../metadata/metadata-condition.js';
import type { MetadataColumn } from '../metadata/metadata-condition.js';
import type { JsonObject } from '../source.types.js';
import type { SourceFiltersInput } from './source-list.types.js';

/** A condition on an item, as SQL about an alias. */
export type SourceCondition = (alias: string, add: AddParameter) => string;

/**
 * The columns that fields of `source_fields` are compared with. An item without a category has its corpus as
 * one.
 */
const comparedWith: Readonly<Record<string, (alias: string) => string>> = {
  title: (alias) => `${alias}.title`,
  type: (alias) => `coalesce(${alias}.type, ${alias}.corpus)`,
  description: (alias) => `${alias}.description`,
  url: (alias) => `${alias}.url`,
  appKind: (alias) => `${alias}.app_kind`,
  appProvider: (alias) => `${alias}.app_provider`,
  appExternalId: (alias) => `${alias}.app_external_id`,
  appParentId: (alias) => `${alias}.app_parent_id`,
};

/**
 * The conditions that filters stand for. @throws AppError INVALID_INPUT naming the filter and its rule; a value
 * that no item can have, by the metadata schema, is refused as well
 */
export function readSourceFilters(
  filters: SourceFiltersInput | null | undefined,
  schema: readonly MetadataField[] | null,
): SourceCondition[] {
  if (!filters) return [];
  const bytes = Buffer.byteLength(JSON.stringify(filters));
  if (bytes > LIMITS.filterBytesMax)
    throw invalidInput('filters', `has ${bytes} bytes; at most ${LIMITS.filterBytesMax}`);
  const { metadata, additionalMetadata, sourceFields } = filters;
  checkDeclared(metadata ?? {}, schema ?? []);
  const { timestamp, ...texts } = sourceFields ?? {};
  return [
    ...holdsAll('metadata', metadata),
    ...holdsAll('additional_metadata', additionalMetadata),
    ...(timestamp === undefined ? [] : [isMoment(timestamp)]),
    ...Object.entries(texts).flatMap(([field, value]): SourceCondition[] => {
      const column = comparedWith[field];
      if (!column || value === undefined) return [];
      return [(alias, add) => `${column(alias)} is not distinct from ${add(value)}::text`];
    }),
  ];
}

function checkDeclared(wanted: JsonObject, schema: readonly MetadataField[]): void {
  for (const field of schema) {
    const problem = Object.hasOwn(wanted, field.name) && valueProblem(field, wanted[field.name]);
    if (problem) throw invalidInput(`filters.metadata.${field.name}`, problem);
  }
}

function holdsAll(column: MetadataColumn, wanted: JsonObject | null | undefined): SourceCondition[] {
  if (!wanted || Object.keys(wanted).length === 0) return [];
  return [(alias, add) => metadataSql({ kind: 'holds', column, wanted }, alias, add)];
}

function isMoment(timestamp: string | null): SourceCondition {
  const moment = timestamp === null ? null : readIsoTime(timestamp);
  if (moment === undefined)
    throw invalidInput(
      'filters.source_fields.timestamp',
      `must be an ISO-8601 date or time, not "${timestamp}"`,
    );
  return (alias, add) => `${alias}.item_time is not distinct from ${add(moment)}::timestamptz`;
}
