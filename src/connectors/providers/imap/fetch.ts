import type { FetchMessageObject, FetchQueryObject, ImapFlow, ImapFlowError } from 'imapflow';
import { ProviderError } from '../../provider.js';
import { failureOfImap } from './failure.js';

/** The headers of some mails. */
interface FetchedHeads {
  /** By ascending uid, without those that are gone by now. */
  readonly heads: readonly FetchMessageObject[];
  /** The uids of mails that are there, but that the server fails to hand over. */
  readonly failed: readonly number[];
}

/**
 * The headers of mails, whatever one of them does to the server. @throws ImapFlowError, ProviderError when it hands
 * over none at all, or has stopped to do so meanwhile
 */
export async function fetchHeads(client: ImapFlow, uids: readonly number[]): Promise<FetchedHeads> {
  if (uids.length === 0) return { heads: [], failed: [] };
  const heads = await fetchParts(client, uids);
  heads.sort((one, other) => one.uid - other.uid);
  const missing = uids.filter((uid) => !heads.some((head) => head.uid === uid));
  const failed = await stillThere(client, missing);
  if (heads.length === 0 && failed.length > 0)
    throw new ProviderError('unavailable', 'the mail server hands over none of the mails that it finds');
  return { heads, failed };
}

/** Those of some mails that are still in the mailbox. */
export async function stillThere(client: ImapFlow, uids: readonly number[]): Promise<readonly number[]> {
  if (uids.length === 0) return [];
  const found = await client.search({ uid: uids.join(',') }, { uid: true });
  return uids.filter((uid) => !found || found.includes(uid));
}

/**
 * The mails that were asked for. A server may tell at any time that somebody has changed the flags of a mail, in the form of
 * an answer without what was asked for.
 */
export async function fetchMails(
  client: ImapFlow,
  uids: readonly number[],
  query: FetchQueryObject,
): Promise<FetchMessageObject[]> {
  const messages = await client.fetchAll(uids.join(','), query, { uid: true });
  return messages.filter(({ uid, envelope }) => envelope !== undefined && uids.includes(uid));
}

const headQuery = { uid: true, envelope: true, internalDate: true, size: true, flags: true };

/** Fetches headers; where the server refuses, because of one of the mails perhaps, half by half. */
async function fetchParts(client: ImapFlow, uids: readonly number[]): Promise<FetchMessageObject[]> {
  try {
    return await fetchMails(client, uids, headQuery);
  } catch (error) {
    if (uids.length === 1 || !isRefusal(error)) throw error;
    const middle = Math.ceil(uids.length / 2);
    const halves = [uids.slice(0, middle), uids.slice(middle)];
    const found: FetchMessageObject[] = [];
    const errors: unknown[] = [];
    for (const half of halves) {
      const part = await fetchParts(client, half).catch((failure: unknown) => {
        if (!isRefusal(failure)) throw failure;
        errors.push(failure);
        return [];
      });
      found.push(...part);
    }
    const [known] = found;
    if (!known) throw errors[0] ?? error;
    // What was refused last may have been so because nothing is handed over any more.
    if (errors.length > 0) await fetchMails(client, [known.uid], headQuery);
    return found;
  }
}

/** Whether the server has understood, works, and does not want to do this. */
function isRefusal(error: unknown): boolean {
  const { responseStatus } = error as ImapFlowError;
  return responseStatus !== undefined && failureOfImap(error).kind === 'unavailable';
}
