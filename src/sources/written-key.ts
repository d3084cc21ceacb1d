/** `OPS-105` of a ticket, `owner/repo#12` of an issue. */
const writtenKey = /^(?:[a-z][a-z0-9]{0,15}-\d{1,9}|[\w.-]+\/[\w.-]+#\d{1,9})$/i;

/** Whether the id of an item in its application is one by which people call it: not one that only programs write. */
export function isWrittenKey(externalId: string | null | undefined): externalId is string {
  return typeof externalId === 'string' && writtenKey.test(externalId);
}
