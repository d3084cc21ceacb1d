import pgvector from 'pgvector';
import { termIdMax } from '../../text/analyzer.js';

/** Weights by term as the text of a `sparsevec`, whose places count from 0 here and term ids from 1. */
export function sparseVector(weights: ReadonlyMap<number, number>): string {
  const elements = new Map([...weights].map(([term, weight]) => [term - 1, weight]));
  return pgvector.toSql(new pgvector.SparseVector(elements, termIdMax)) as string;
}
