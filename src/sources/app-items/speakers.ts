import { userNameDefault } from '../ingest/user-name.js';
import { readAddressed, readMailName } from '../../text/mail-names.js';
import type { AppContent } from '../source.types.js';

/** Fields of app items that say who speaks in them. */
const speakerFields = ['author', 'from', 'reporter', 'created_by'];

interface Spoken {
  readonly memory?: { readonly userName?: string | undefined } | null | undefined;
  readonly app?: Pick<AppContent, 'fields' | 'comments'> | null | undefined;
}

/** Who "I" is in an item. */
export function speakerOf({ memory, app }: Spoken): string {
  return memory?.userName ?? fieldsOf(app)[0] ?? userNameDefault;
}

/** Who says "I" in an item as a whole, by name: the author of an app item, or the user of a memory, whose words are facts. */
export function voicesOf(item: Spoken): { people: string[]; author?: string; user?: string } {
  const people = speakersOf(item);
  if (item.memory) return { people, user: item.memory.userName ?? userNameDefault };
  const [author] = fieldsOf(item.app).map(nameOf);
  return author !== undefined && people.includes(author) ? { people, author } : { people };
}

/** Everyone who speaks in an item, by name; they are people, whatever their names look like. */
export function speakersOf({ memory, app }: Spoken): string[] {
  const comments = (app?.comments ?? []).flatMap(({ author }) => author ?? []);
  const names = [memory?.userName ?? userNameDefault, ...fieldsOf(app), ...comments]
    .map(nameOf)
    .filter((name) => name !== '' && name !== userNameDefault && !name.includes('@'));
  return [...new Set(names)];
}

function fieldsOf(app: Spoken['app']): string[] {
  return speakerFields
    .map((field) => app?.fields[field])
    .filter((value): value is string => typeof value === 'string');
}

/** The name in "Anna Berg <anna@acme.com>"; empty for that of a mailbox that many write from. */
function nameOf(speaker: string): string {
  const addressed = readAddressed(speaker);
  if (!addressed) return speaker.trim();
  const { name, whose } = readMailName(addressed.name, addressed.address);
  return whose === 'mailbox' ? '' : name;
}
