/** Descriptions of the fields that the inputs of all kinds of items share. */
export const metadataDescription =
  'Values of metadata fields, by name; at most 16 KiB as compact JSON. If the database has a metadata schema, only the fields that it declares are accepted.';
export const additionalMetadataDescription =
  'Free-form values, by name, to which no metadata schema applies; at most 1 KiB as compact JSON.';
export const aclDescription =
  'Principals (users or groups) who may read the item; empty or null: nobody may. When absent, the list of the request applies; without one, an item that is replaced keeps its list, and everyone may read a new one.';
