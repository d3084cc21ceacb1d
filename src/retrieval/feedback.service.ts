import type { DataSource } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { mayTouch } from '../accounts/caller.js';
import type { Caller } from '../accounts/caller.js';
import type { RateLimiter } from '../accounts/rate-limiter.js';
import { collectionName } from '../databases/collections.service.js';
import type { DatabasesService } from '../databases/databases.service.js';
import { AppError, invalidInput } from '../errors.js';
import { checkCount } from '../lib/bounded-number.js';
import { characterCount } from '../lib/characters.js';
import type { Clock } from '../lib/clock.js';
import { boundedText } from '../lib/text-check.js';
import { LIMITS } from '../limits.js';
import type { JsonObject } from '../sources/source.types.js';
import { insertFeedback } from './feedback.queries.js';
import type { NewFeedback } from './feedback.queries.js';
import type { FeedbackInput, FeedbackPayload } from './feedback.types.js';
import type { FoundQuery, QueryLog } from './query-log.js';

interface FeedbackOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly databases: DatabasesService;
  readonly rateLimiter: RateLimiter;
  readonly queryLog: QueryLog;
}

/** Stores the feedback of people and agents on answers. */
export class FeedbackService {
  constructor(private readonly options: FeedbackOptions) {}

  /**
   * Stores feedback with the query that it is about. @throws AppError INVALID_INPUT, RATE_LIMITED, or
   * NOT_FOUND when the account has no query with this request id
   */
  async record(caller: Caller, input: FeedbackInput): Promise<FeedbackPayload> {
    const { postgres, clock } = this.options;
    const read = readFeedback(input);
    const asked = await this.findQuery(caller, input);
    await this.count(caller);
    const id = uuidv7();
    const createdAt = clock.now();
    const { rating = null, source = null } = input;
    await insertFeedback(postgres, { ...read, id, asked, rating, source, createdAt });
    return {
      feedbackId: id,
      requestId: asked.requestId,
      recorded: true,
      createdAt,
      message: 'Thank you: the feedback is stored with its query',
    };
  }

  /** A query that the key may not know of is not found, like one that does not exist. */
  private async findQuery(caller: Caller, { requestId, database }: FeedbackInput): Promise<FoundQuery> {
    const { databases, queryLog } = this.options;
    const named = database ? await databases.find(caller, database) : undefined;
    const asked = await queryLog.find(caller.accountId, requestId, named?.id ?? null);
    if (asked && mayTouch(caller, asked.database)) return asked;
    throw new AppError('NOT_FOUND', `no query with request_id ${requestId} was answered lately`, {
      field: 'request_id',
    });
  }

  private async count({ accountId }: Caller): Promise<void> {
    const limit = LIMITS.feedbackPerMinuteMax;
    const state = await this.options.rateLimiter.take(`feedback:${accountId}`, limit);
    if (state.allowed) return;
    throw new AppError(
      'RATE_LIMITED',
      `an account may send feedback ${limit} times a minute; wait ${state.resetSeconds} s`,
      { limit, retryAfterSeconds: state.resetSeconds },
    );
  }
}

type ReadFeedback = Pick<NewFeedback, 'feedback' | 'groundTruth' | 'collection' | 'metadata'>;

function readFeedback(input: FeedbackInput): ReadFeedback {
  if (!isUuid(input.requestId)) throw invalidInput('request_id', 'must be the UUID of a query');
  const feedback = readText(input.feedback, 'feedback');
  const answer = readText(input.groundTruth?.answer, 'ground_truth.answer');
  const sourceIds = input.groundTruth?.sourceIds ?? [];
  checkCount(sourceIds.length, 'ground_truth.source_ids', { noun: 'ids', max: LIMITS.feedbackSourceIdsMax });
  const groundTruth = answer !== null || sourceIds.length > 0 ? { answer, sourceIds } : null;
  if (feedback === null && groundTruth === null)
    throw invalidInput('feedback', 'or ground_truth is required', ['ground_truth']);
  return {
    feedback,
    groundTruth,
    collection: input.collection ? collectionName(input.collection) : null,
    metadata: readMetadata(input.metadata ?? {}),
  };
}

function readText(given: string | null | undefined, path: string): string | null {
  if (given == null || given.trim() === '') return null;
  return boundedText(given, path, LIMITS.feedbackCharactersMax);
}

function readMetadata(given: JsonObject): JsonObject {
  const entries = Object.entries(given);
  checkCount(entries.length, 'metadata', { noun: 'entries', max: LIMITS.feedbackMetadataMax });
  for (const [key, value] of entries) {
    if (typeof value !== 'string') throw invalidInput(`metadata.${key}`, 'must be a string');
    const characters = Math.max(characterCount(key), characterCount(value));
    if (characters > LIMITS.feedbackMetadataCharactersMax) {
      throw invalidInput(
        `metadata.${key}`,
        `has ${characters} characters; at most ${LIMITS.feedbackMetadataCharactersMax}`,
      );
    }
  }
  return given;
}
