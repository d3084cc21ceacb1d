import pgvector from 'pgvector';
import { termIdMax } from '../../text/analyzer.js';

/**
 * Weights by term id as the text of a pgvector `sparsevec`. Term ids count from 1, its indices here from 0.
 */
export function sparseVector(weights: ReadonlyMap<number, number>): string {
  const elements = new Map([...weights].map(([term, weight]) => [term - 1, weight]));
  return pgvector.toSql(new pgvector.SparseVector(elements, termIdMax)) as string;
}
