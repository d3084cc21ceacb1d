import type { z } from 'zod';
import { ProviderError } from './provider.js';

/**
 * What a provider wrote into a cursor as JSON; undefined at the beginning. The shape tells a cursor of another version.
 * @throws ProviderError expired: reading begins anew
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
