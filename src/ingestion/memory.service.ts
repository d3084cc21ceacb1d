import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import { collectionName } from '../databases/collections.service.js';
import type { CollectionsService } from '../databases/collections.service.js';
import type { Clock } from '../lib/clock.js';
import { queryOne } from '../postgres/query.js';
import { mayReadSql, readReaders } from '../sources/acl.js';
import type { Readers } from '../sources/acl.js';
import type { IndexingStatus } from '../sources/indexing-status.js';
import type { JsonObject, MemoryContent } from '../sources/source.types.js';
import { findFacts } from './facts.queries.js';
import type { StoredFact } from './facts.queries.js';
import type { FactKind, InferredFact, Memory } from './memory.types.js';

interface MemoryOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly collections: CollectionsService;
}

interface MemoryRow {
  readonly uid: string;
  readonly id: string;
  readonly title: string;
  readonly memory: MemoryContent;
  readonly infer: boolean;
  readonly visible: boolean;
  readonly indexingStatus: IndexingStatus;
  readonly metadata: JsonObject;
  readonly additionalMetadata: JsonObject;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Reads memories back. */
export class MemoryService {
  constructor(private readonly options: MemoryOptions) {}

  /** What readers see of a memory, or what waits to be seen; null when there is none that the caller may read. */
  async find(
    caller: Caller,
    wanted: { database: string; id: string; collection: string | null },
  ): Promise<Memory | null> {
    const name = collectionName(wanted.collection);
    const { database, collections } = await this.options.collections.findScope(caller, wanted.database, [
      name,
    ]);
    const [collectionId] = collections.keys();
    if (collectionId === undefined) return null;
    const { manager } = this.options.postgres;
    const now = this.options.clock.now();
    const place = { databaseId: database.id, collectionId, id: wanted.id };
    const row = await findMemory(manager, place, { readers: readReaders(caller, undefined), now });
    if (!row) return null;
    const { uid, memory, visible, ...rest } = row;
    const facts = await findFacts(manager, { databaseId: database.id, uids: [uid], now });
    return {
      ...rest,
      collection: name,
      text: memory.text,
      userAssistantPairs: memory.userAssistantPairs ?? [],
      userName: memory.userName,
      observationDate: memory.observationDate,
      inferredContent: row.infer && visible ? inferredContent(facts) : null,
      facts: facts.map(toInferredFact),
    };
  }
}

/** The statements of facts, one per line. */
export function inferredContent(facts: readonly StoredFact[]): string {
  return facts
    .map(({ statement, supersededBy }) => (supersededBy ? `${statement} (superseded)` : statement))
    .join('\n');
}

function toInferredFact({ sourceUid: _, kind, ...fact }: StoredFact): InferredFact {
  return { ...fact, kind: kind as FactKind, current: !fact.supersededBy && !fact.repeatedBy };
}

function findMemory(
  manager: EntityManager,
  { databaseId, collectionId, id }: { databaseId: number; collectionId: number; id: string },
  { readers, now }: { readers: Readers; now: Date },
): Promise<MemoryRow | undefined> {
  const parameters: unknown[] = [databaseId, collectionId, id, now];
  const readable = mayReadSql('s.acl', readers, (value) => `$${parameters.push(value)}`);
  return queryOne<MemoryRow>(
    manager,
    `select s.uid, s.id, s.title, s.memory, s.infer, s.visible, l.indexing_status as "indexingStatus", s.metadata,
            s.additional_metadata as "additionalMetadata", s.expires_at as "expiresAt", s.created_at as "createdAt",
            s.updated_at as "updatedAt"
       from sources s
       join sources l on l.database_id = s.database_id and l.collection_id = s.collection_id and l.corpus = s.corpus
            and l.id = s.id and l.latest
      where s.database_id = $1 and s.collection_id = $2 and s.corpus = 'memory' and s.id = $3 and s.memory is not null
        and (s.visible or s.latest) and (s.expires_at is null or s.expires_at > $4::timestamptz) and ${readable}
      order by s.visible desc limit 1`,
    parameters,
  );
}
