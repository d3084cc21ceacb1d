import type { z } from 'zod';
import { ProviderError } from './provider.js';

/**
 * Reads what a provider wrote into a cursor as JSON; undefined at the beginning. `shape` rejects cursors of
 * another version. @throws ProviderError `expired`, after which reading begins from the start
 */
export function readCursor<Cursor>(cursor: string, shape?: z.ZodType<Cursor>): Cursor | undefined {
  if (cursor === '') return undefined;
  try {
    const written: unknown = JSON.parse(cursor);
    return shape ? shape.parse(written) : (written as Cursor);
  } catch {
    throw new ProviderError('expired', 'the place where reading was to go on cannot be read');
  }
}
