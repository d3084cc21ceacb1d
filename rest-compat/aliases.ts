/** A deprecated name of a parameter. */
export interface Alias {
  readonly alias: string;
  readonly name: string;
  /** Whether its use is reported in meta.deprecation. */
  readonly deprecated: boolean;
  /** The only operations it is accepted in; absent: every one that has the parameter. */
  readonly operations?: readonly string[];
  /**
   * Whether the documented name wins when both are sent with different values; otherwise such a request is
   * refused.
   */
  readonly yields?: true;
}

/** The version in which names and routes became deprecated. */
export const deprecatedSince = '2.0.1';

const idAliases: readonly Alias[] = [
  { alias: 'source_id', name: 'id', deprecated: true },
  { alias: 'file_id', name: 'id', deprecated: true },
];
const placeAliases: readonly Alias[] = [
  { alias: 'tenant_id', name: 'database', deprecated: true },
  { alias: 'sub_tenant_id', name: 'collection', deprecated: true },
];
const documentMetadata: Alias = {
  alias: 'document_metadata',
  name: 'additional_metadata',
  deprecated: true,
};
const metadataAliases: readonly Alias[] = [
  { alias: 'tenant_metadata', name: 'metadata', deprecated: true },
  documentMetadata,
];
const itemAliases: readonly Alias[] = [
  ...idAliases,
  ...placeAliases,
  ...metadataAliases,
  { alias: 'app_relations', name: 'relations', deprecated: false },
];

/** Deprecated names of parameters, accepted in query string, path, JSON body and form alike. */
export const PARAMETER_ALIASES: readonly Alias[] = [
  ...placeAliases,
  { alias: 'sub_tenant_ids', name: 'collections', deprecated: true },
  {
    alias: 'tenant_metadata_schema',
    name: 'database_metadata_schema',
    deprecated: true,
  },
  { alias: 'tenant_metadata', name: 'database_metadata', deprecated: true, yields: true },
  { alias: 'id', name: 'ids', deprecated: false, operations: ['indexing-status'] },
];

/** Other names for keys of items in JSON, by the GraphQL input type that reads them. */
export const ITEM_ALIASES: Readonly<Record<string, readonly Alias[]>> = {
  DocumentMetadataInput: [...idAliases, documentMetadata],
  MemoryInput: itemAliases,
  AppKnowledgeInput: itemAliases,
  SourceFiltersInput: metadataAliases,
  ConnectorResourceInput: placeAliases,
};

/** Deprecated names of keys in metadata_filters, at any level of $and, $or and $not. */
export const FILTER_ALIASES: readonly Alias[] = [documentMetadata];

/** Parameters that are lists of item ids. */
export const ITEM_ID_LISTS: readonly string[] = ['ids'];

/** Parameters of free JSON type that are either a list of names, read like other lists, or an object. */
export const NAME_LISTS: readonly string[] = ['collections'];

/** Keys of items whose object may also be sent as JSON text, a deprecated form. */
export const ITEM_KEYS_AS_TEXT: Readonly<Record<string, readonly string[]>> = {
  MemoryInput: ['metadata'],
};

/** Keys that exist in GraphQL but not in the documented REST items; refused like any unknown key. */
export const ITEM_KEYS_OF_GRAPHQL: Readonly<Record<string, readonly string[]>> = {
  DocumentMetadataInput: ['acl'],
};
