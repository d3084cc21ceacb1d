import type { AppContent } from './source.types.js';
import { userNameDefault } from './user-name.js';

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

/** Everyone who speaks in an item, by name; they are people, whatever their names look like. */
export function speakersOf({ memory, app }: Spoken): string[] {
  const comments = (app?.comments ?? []).flatMap(({ author }) => author ?? []);
  const names = [memory?.userName ?? userNameDefault, ...fieldsOf(app), ...comments]
    // "Anna Berg <anna@acme.com>"
    .map((name) => name.replace(/\s*<[^>]*>\s*$/, '').trim())
    .filter((name) => name !== '' && name !== userNameDefault && !name.includes('@'));
  return [...new Set(names)];
}

function fieldsOf(app: Spoken['app']): string[] {
  return speakerFields
    .map((field) => app?.fields[field])
    .filter((value): value is string => typeof value === 'string');
}
