import type { AppContent } from '../source.types.js';

interface Dated {
  readonly memory?: { readonly observationDate: string | null } | null | undefined;
  readonly app?: Pick<AppContent, 'timestamp'> | null | undefined;
}

/** The date that an item gives itself, as ISO 8601 writes it: when a memory was observed or a message sent. */
export function toldOn({ memory, app }: Dated): string | undefined {
  return memory?.observationDate ?? app?.timestamp ?? undefined;
}
