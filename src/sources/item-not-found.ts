import { AppError } from '../errors.js';
import type { Corpus } from '../postgres/stores.js';

/** The same for an item that does not exist and one that the caller may not know of. */
export function itemNotFound(
  { id, collection }: { readonly id: string; readonly collection: string },
  corpus: Corpus | null | undefined,
): AppError {
  const [kind, noun] =
    corpus === 'memory'
      ? (['MEMORY_NOT_FOUND', 'memory'] as const)
      : (['SOURCE_NOT_FOUND', 'source'] as const);
  return new AppError(kind, `${noun} "${id}" does not exist in collection "${collection}"`);
}
