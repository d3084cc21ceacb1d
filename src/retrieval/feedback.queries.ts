import type { DataSource } from 'typeorm';
import { query } from '../postgres/query.js';
import type { JsonObject } from '../sources/source.types.js';
import type { FeedbackInput, GroundTruthInput } from './feedback.types.js';
import type { LoggedQuery } from './query-log.js';

/** Feedback to store, and the query that it is about. */
export interface NewFeedback extends Required<Pick<FeedbackInput, 'rating' | 'source'>> {
  readonly id: string;
  readonly asked: LoggedQuery;
  readonly feedback: string | null;
  readonly groundTruth: GroundTruthInput | null;
  readonly collection: string | null;
  readonly metadata: JsonObject;
  readonly createdAt: Date;
}

/** Stores what somebody thinks of the results of a query. */
export async function insertFeedback({ manager }: DataSource, row: NewFeedback): Promise<void> {
  const { asked } = row;
  await query(
    manager,
    `insert into feedback (id, account_id, database_id, request_id, query, source_ids, collection, feedback,
       ground_truth, rating, source, metadata, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      row.id,
      asked.accountId,
      asked.databaseId,
      asked.requestId,
      asked.query,
      asked.sourceIds,
      row.collection,
      row.feedback,
      row.groundTruth && JSON.stringify(row.groundTruth),
      row.rating,
      row.source,
      JSON.stringify(row.metadata),
      row.createdAt,
    ],
  );
}
