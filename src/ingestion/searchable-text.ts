import { userNameDefault } from '../sources/user-name.js';
import { isWrittenKey } from '../sources/written-key.js';
import type { PrepareTask } from './prepare.js';

/** `19 June 2023` */
const dayInWords = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What is searched of a chunk: the item's title and the headings above it count as its words. */
export function searchableText(title: string, chunk: { headings: readonly string[]; text: string }): string {
  return [title, ...chunk.headings, chunk.text].filter((part) => part !== '').join('\n');
}

/** What an item may be asked for by that its text need not hold: its key elsewhere, who says it, and when. */
export function contextText({ memory, app }: Pick<PrepareTask, 'memory' | 'app'>): string {
  const day = memory?.observationDate ?? app?.timestamp;
  const names = [app?.externalId, memory?.userName === userNameDefault ? undefined : memory?.userName];
  return [...names, day && dayInWords.format(new Date(day))].filter(Boolean).join('\n');
}

/** The key by which people call an item of another application; blank for any other. */
export function externalKey({ app }: Pick<PrepareTask, 'app'>): string {
  return isWrittenKey(app?.externalId) ? app.externalId : '';
}
