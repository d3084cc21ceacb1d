/** `OPS-105` of a ticket, `owner/repo#12` of an issue. */
const writtenKey = /^(?:[a-z][a-z0-9]{0,15}-\d{1,9}|[\w.-]+\/[\w.-]+#\d{1,9})$/i;

/**
 * Whether an item's id in its application is one that people write (OPS-105), and not one that only programs
 * use.
 */
export function isWrittenKey(externalId: string | null | undefined): externalId is string {
  return typeof externalId === 'string' && writtenKey.test(externalId);
}
