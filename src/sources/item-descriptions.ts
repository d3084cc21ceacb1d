/** Descriptions of the fields that the inputs of all kinds of items share. */
export const metadataDescription =
  'Values of metadata fields, by name; at most 16 KiB as compact JSON. If the database has a metadata schema, only the fields that it declares are accepted.';
export const additionalMetadataDescription =
  'Free-form values, by name, to which no metadata schema applies; at most 1 KiB as compact JSON.';
export const aclDescription =
  'Principals (users or groups) who may read the item; empty or null: nobody may. When absent, the list of the request applies; without one, an item that is replaced keeps its list, and everyone may read a new one.';
export const relationsDescription =
  'Links to other items, which may not exist yet: {ids: [item ids], properties} or [{predicate, target: {id} or {provider, external_id}, properties}]. At most 500; the default predicate is relates_to.';

/** Description of the principals that a read answers as. */
export const answersAsDescription =
  'Principals (users or groups) to answer as: only what they may read is returned. Absent, null or ["*"]: no restriction beyond that of the API key; []: only what everyone may read.';

/** Descriptions of what every answer tells of an item. */
export const itemDescriptions = {
  title: 'Title of the item: the one that was sent, else the name of its file or its first words.',
  appKind:
    'Kind of an app item: email, message, ticket, knowledge_base, comment or custom; null for files and memories.',
  appProvider:
    'Application that an app item comes from, such as slack, in lower case; null when none was sent.',
  appExternalId: 'Id of an app item in its application; null when none was sent.',
} as const;
