import { AppError } from '../errors.js';
import { CORPORA } from '../postgres/stores.js';
import type { Corpus } from '../postgres/stores.js';
import { SourceType } from './source.types.js';

/** The one corpus that a request is about; `all` is refused. @throws AppError CORPUS_TYPE_UNSUPPORTED */
export function readCorpus(type: SourceType | null | undefined): Corpus {
  if (type === SourceType.all) {
    throw new AppError('CORPUS_TYPE_UNSUPPORTED', 'type must be knowledge or memory here, not all', {
      field: 'type',
    });
  }
  return type ?? SourceType.knowledge;
}

/** The corpora in which an item is looked for, in this order. @throws AppError CORPUS_TYPE_UNSUPPORTED */
export function readCorpora(type: SourceType | null | undefined): readonly Corpus[] {
  return type == null ? CORPORA : [readCorpus(type)];
}
