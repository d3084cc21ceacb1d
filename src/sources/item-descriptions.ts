/** Description of the principals that a read answers as. */
export const answersAsDescription =
  'Principals (users or groups) to answer as: only what they may read is returned. Absent, null or ["*"]: no restriction beyond that of the API key; []: only what everyone may read.';

/** Descriptions of what every answer tells of an item. */
export const itemDescriptions = {
  title: 'Title of the item: the one that was sent, else the name of its file or its first words.',
  appKind: 'Kind of an app item; null for files and memories.',
  appProvider:
    'Application that an app item comes from, such as slack, in lower case; null when none was sent.',
  appExternalId: 'Id of an app item in its application; null when none was sent.',
} as const;
