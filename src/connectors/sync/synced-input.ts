import { createHash } from 'node:crypto';
import type { MetadataField } from '../../databases/metadata-schema.js';
import { valueProblem } from '../../databases/metadata-schema.js';
import { clip } from '../../lib/characters.js';
import { cleanJson, cleanText } from '../../lib/clean-text.js';
import { LIMITS } from '../../limits.js';
import type { AppKnowledgeInput } from '../../sources/app-items/app-item.types.js';
import { appItemId } from '../../sources/app-items/new-app-item.js';
import { encodedInIds } from '../../sources/ingest/item-id.js';
import type { JsonObject } from '../../sources/source.types.js';
import type { ResourceRow } from '../management/connector-rows.js';
import type { Item } from '../provider.js';
import {
  fittingAttachments,
  fittingComments,
  fittingFields,
  fittingTime,
  fittingUrl,
} from './fitting-content.js';

// Together with provider and scope, percent-encoded, an item's id stays within 512 bytes.
const nativeIdBytesMax = 300;
const keptOfLongIdCharacters = 80;

/** Whose items are made, and where they go. */
export interface SyncedScope {
  readonly connectorId: string;
  readonly provider: string;
  readonly providerAccountScope: string;
  readonly resource: Pick<ResourceRow, 'resourceId' | 'metadata' | 'additionalMetadata'>;
  /** The metadata schema of the database that they go to. */
  readonly schema: readonly MetadataField[] | null;
}

/** Fields that refer to other items of the account. */
const idFields = ['parent_id', 'thread_id', 'reply_to_id', 'in_reply_to', 'forwarded_from_id'];

/**
 * The external id of an object: the same through whichever connector and resource it comes, but different for
 * each `provider_account_scope`. With the provider in front it is the item's id.
 */
function externalIdOf(scope: Pick<SyncedScope, 'providerAccountScope'>, nativeId: string): string {
  const fits = encodedBytes(nativeId) <= nativeIdBytesMax && cleanText(nativeId) === nativeId;
  const bounded = fits ? nativeId : shortened(nativeId);
  return scope.providerAccountScope === '' ? bounded : `${scope.providerAccountScope}:${bounded}`;
}

/** The id of the item that an object becomes. */
export function itemIdOf(
  scope: Pick<SyncedScope, 'provider' | 'providerAccountScope'>,
  nativeId: string,
): string {
  return appItemId(scope.provider, externalIdOf(scope, nativeId));
}

/** An object as the input of ingest, cut to what can be stored. */
export function toInput(scope: SyncedScope, nativeId: string, item: Item): AppKnowledgeInput {
  return cleanJson(boundedInput(scope, nativeId, item));
}

function boundedInput(scope: SyncedScope, nativeId: string, item: Item): AppKnowledgeInput {
  const { kind, title, description, url, type, timestamp, content, attachments, comments } = item;
  return {
    provider: scope.provider,
    externalId: externalIdOf(scope, nativeId),
    kind,
    title: title === undefined ? null : clip(title, LIMITS.titleCharactersMax),
    description: description === undefined ? null : clip(description, LIMITS.descriptionCharactersMax),
    url: fittingUrl(url),
    type: type === undefined ? null : clip(type, LIMITS.appValueCharactersMax),
    timestamp: fittingTime(timestamp),
    fields: scopedFields(scope, fittingFields(kind, item.fields)),
    content: content ?? null,
    attachments: attachments ? fittingAttachments(attachments) : null,
    comments: comments ? fittingComments(comments) : null,
    ...metadataOf(scope, item.native),
  };
}

/** A digest by which changes of an item are recognised. */
export function digestOf(input: AppKnowledgeInput, fileSha256: string | undefined): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(input))
    .update(fileSha256 ?? '')
    .digest();
}

// References to threads and other items, replaced by the ids under which these are stored.
function scopedFields(scope: SyncedScope, fields: JsonObject): JsonObject {
  const scoped: JsonObject = { ...fields };
  for (const field of idFields) {
    const id = scoped[field];
    if (typeof id === 'string' && id !== '') scoped[field] = externalIdOf(scope, id);
  }
  const linked = scoped['linked_issue_ids'];
  if (Array.isArray(linked))
    scoped['linked_issue_ids'] = linked
      .slice(0, LIMITS.appFieldValuesMax)
      .map((id) => externalIdOf(scope, String(id)));
  return scoped;
}

/** What a connector says about its items takes precedence over what their resource says. */
function metadataOf(
  { connectorId, provider, providerAccountScope, resource, schema }: SyncedScope,
  native: Readonly<Record<string, string>>,
): { metadata: JsonObject; additionalMetadata: JsonObject } {
  const own = { connector_id: connectorId, provider };
  const declared = Object.fromEntries(
    Object.entries(own).filter(([key, value]) => {
      const field = schema?.find(({ name }) => name === key);
      return field !== undefined && valueProblem(field, value) === undefined;
    }),
  );
  const required = {
    ...('provider' in declared ? {} : { provider }),
    connector_id: connectorId,
    resource_id: resource.resourceId,
    ...(providerAccountScope === '' ? {} : { provider_account_scope: providerAccountScope }),
  };
  const additionalMetadata: JsonObject = { ...resource.additionalMetadata, ...native, ...required };
  // Only URLs and paths come near the limit: then the item's own long values are dropped first, then its
  // resource's.
  const longestFirst = (values: JsonObject) =>
    Object.keys(values).sort((a, b) => JSON.stringify(values[b]).length - JSON.stringify(values[a]).length);
  const droppable = [...longestFirst(native), ...longestFirst(resource.additionalMetadata)];
  for (const key of droppable.filter((each) => !(each in required))) {
    if (fits(additionalMetadata)) break;
    delete additionalMetadata[key];
  }
  return { metadata: { ...resource.metadata, ...declared }, additionalMetadata };
}

function fits(metadata: JsonObject): boolean {
  return Buffer.byteLength(JSON.stringify(metadata)) <= LIMITS.additionalMetadataBytesMax;
}

function shortened(id: string): string {
  return `${cleanText(clip(id, keptOfLongIdCharacters))}~${createHash('sha256').update(id).digest('hex')}`;
}

function encodedBytes(id: string): number {
  return Buffer.byteLength(id.replace(encodedInIds, '%00'));
}
