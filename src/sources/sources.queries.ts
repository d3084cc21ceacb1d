import type { EntityManager } from 'typeorm';
import type { Caller } from '../accounts/caller.js';
import type { Corpus } from '../postgres/partitions.js';
import { query } from '../postgres/query.js';
import { SqlParameters } from '../postgres/sql-parameters.js';
import type { AddParameter } from '../postgres/sql-parameters.js';
import { mayReadSql, maySeeSql, readItemAccess } from './acl.js';
import type { Acl, ItemAccess, Readers } from './acl.js';
import type { NewSource } from './ingest/new-source.js';
import { largeBytesMin } from './status/indexing-queue.js';
import type { IndexingStatus } from './status/indexing-status.js';
import type { OutboxSql } from './status/status-outbox.js';

const penaltySecondsMax = 600;

/** Where items of one request go. */
export interface SourceScope {
  readonly databaseId: number;
  readonly collectionId: number;
  readonly corpus: Corpus;
}

/** SQL: whether an item has not expired. */
export function unexpiredSql(alias: string, now: string): string {
  return `(${alias}.expires_at is null or ${alias}.expires_at > ${now}::timestamptz)`;
}

/** The versions that stand under some ids before a write. */
export interface ExistingVersions {
  /** Ids whose items the write may not replace. */
  readonly taken: ReadonlySet<string>;
  readonly uids: readonly string[];
}

/**
 * The versions that stand under some ids. Without `readers` no item may be replaced; with them, all that they
 * may read. Versions that are to be replaced stay locked until the transaction ends, so that no edit of an
 * access list comes in between.
 */
export async function findExisting(
  manager: EntityManager,
  scope: SourceScope,
  { ids, readers, now }: { ids: readonly string[]; readers: Readers; now: Date },
): Promise<ExistingVersions> {
  const parameters = new SqlParameters([scope.databaseId, scope.collectionId, scope.corpus, ids, now]);
  const replaceable = readers === null ? 'false' : mayReadSql('acl', readers, parameters.add);
  const rows = await query<{ id: string; uid: string; taken: boolean }>(
    manager,
    `select id, uid, ${unexpiredSql('s', '$5')} and not (${replaceable}) as taken from sources s
      where database_id = $1 and collection_id = $2 and corpus = $3 and id = any($4) and (latest or visible)
      order by id, uid ${readers === null ? '' : 'for no key update'}`,
    parameters.values,
  );
  return {
    taken: new Set(rows.filter(({ taken }) => taken).map(({ id }) => id)),
    uids: rows.map(({ uid }) => uid),
  };
}

/** Versions to store, and which versions they may replace; undefined for any. */
interface NewVersions {
  readonly sources: readonly NewSource[];
  readonly now: Date;
  readonly outbox: OutboxSql;
  readonly over: readonly string[] | undefined;
}

/**
 * Stores new versions as queued and takes `latest` from the ones before; a visible version stays visible
 * until its successor is searchable. With `over`, only those versions are replaced. Returns the access lists
 * by id. @throws a unique violation when another request stores the same id at this moment, or has stored it
 * since `over` was read
 */
export async function insertQueued(
  manager: EntityManager,
  scope: SourceScope,
  { sources, now, outbox, over }: NewVersions,
): Promise<Map<string, Acl>> {
  const where = [scope.databaseId, scope.collectionId, scope.corpus];
  const before = await query<{ id: string; uid: string; createdAt: Date; acl: Acl; unexpired: boolean }>(
    manager,
    `update sources s set latest = false
      where database_id = $1 and collection_id = $2 and corpus = $3 and id = any($4) and latest
        and ($6::bigint[] is null or uid = any($6))
     returning id, uid, created_at as "createdAt", acl, ${unexpiredSql('s', '$5')} as unexpired`,
    [...where, sources.map((source) => source.id), now, over ?? null],
  );
  // An expired item hands nothing down: its id is free.
  const known = new Map(before.filter(({ unexpired }) => unexpired).map((row) => [row.id, row]));
  const rows = sources.map((source) => {
    const previous = known.get(source.id);
    const acl = source.acl === undefined ? (previous?.acl ?? null) : source.acl;
    return { ...source, acl, createdAt: previous?.createdAt ?? now, previousUid: previous?.uid };
  });
  await query(
    manager,
    `with stored as (
     insert into sources (database_id, collection_id, corpus, id, latest, visible, indexing_status, error_code,
       error_message, status_updated_at, attempts, next_attempt_at, queue_at, large, title, filename, content_type,
       content_bytes, storage_key, memory, app, infer, expires_at, type, description, url, item_time, app_kind,
       app_provider, app_external_id, app_parent_id, app_thread_id, metadata, additional_metadata,
       declared_relations, supplied_graph, acl, evidence_kind, evidence_subject, chunk_count, created_at, updated_at)
     select $1, $2, $3, s.id, true, false, 'queued', '', '', $5, 0, $5, $6, s."contentBytes" > $7, s.title, s.filename,
       s."contentType", s."contentBytes", s."storageKey", s.memory, s.app, s.infer, s."expiresAt", s.app ->> 'type',
       s.app ->> 'description', s.app ->> 'url',
       coalesce((s.app ->> 'timestamp')::timestamptz, (s.memory ->> 'observationDate')::timestamp at time zone 'UTC'), s.app ->> 'kind',
       s.app ->> 'provider', s.app ->> 'externalId', s.app -> 'fields' ->> 'parent_id',
       s.app -> 'fields' ->> 'thread_id', s.metadata, s."additionalMetadata", s."declaredRelations",
       coalesce(s."suppliedGraph", (select p.supplied_graph from sources p where p.database_id = $1 and p.uid = s."previousUid")), s.acl,
       s."evidenceKind", s."evidenceSubject", 0, s."createdAt", $5
     from jsonb_to_recordset($4::jsonb) as s(id text, title text, filename text, "contentType" text,
       "contentBytes" bigint, "storageKey" text, memory jsonb, app jsonb, infer boolean, "expiresAt" timestamptz,
       metadata jsonb, "additionalMetadata" jsonb, "declaredRelations" jsonb, "suppliedGraph" jsonb,
       "previousUid" bigint, acl text[], "evidenceKind" text,
       "evidenceSubject" text, "createdAt" timestamptz)
     returning database_id, collection_id, corpus, id, uid, status_updated_at)
     ${outbox(`
       select stored.database_id, c.name as collection, corpus, stored.id, stored.uid, replaced.uid as previous_uid,
              'queued' as indexing_status, 1 as sequence, '' as error_code, '' as error_message, status_updated_at
         from stored join collections c on c.id = stored.collection_id
         left join unnest($8::text[], $9::bigint[]) as replaced(id, uid) on replaced.id = stored.id`)}`,
    [
      ...where,
      JSON.stringify(rows),
      now,
      queueAt(sources, now),
      largeBytesMin,
      before.map(({ id }) => id),
      before.map(({ uid }) => uid),
    ],
  );
  await limitVisible(manager, scope, sources);
  return new Map(rows.map(({ id, acl }) => [id, acl]));
}

/**
 * An item stays visible no longer than its new version is to live, even if that is not searchable by then:
 * reads look at the expiry of the version that they show.
 */
async function limitVisible(
  manager: EntityManager,
  { databaseId, collectionId, corpus }: SourceScope,
  sources: readonly NewSource[],
): Promise<void> {
  const limited = sources.filter(({ expiresAt }) => expiresAt !== null);
  if (limited.length === 0) return;
  await query(
    manager,
    `update sources s set expires_at = least(s.expires_at, n.expires_at)
       from unnest($4::text[], $5::timestamptz[]) as n(id, expires_at)
      where s.database_id = $1 and s.collection_id = $2 and s.corpus = $3 and s.id = n.id and s.visible`,
    [
      databaseId,
      collectionId,
      corpus,
      limited.map(({ id }) => id),
      limited.map(({ expiresAt }) => expiresAt),
    ],
  );
}

// Small requests go first: each item or megabyte delays a large one by a second, with a limit, so that none
// waits for ever.
function queueAt(sources: readonly NewSource[], now: Date): Date {
  const megabytes = sources.reduce((bytes, source) => bytes + source.contentBytes, 0) / 1_000_000;
  const seconds = Math.min(sources.length - 1 + megabytes, penaltySecondsMax);
  return new Date(now.getTime() + seconds * 1000);
}

export interface StatusRow {
  readonly id: string;
  readonly indexing_status: IndexingStatus;
  readonly error_code: string;
  readonly error_message: string;
  readonly status_updated_at: Date;
}

/**
 * The indexing statuses, by id, of items that the caller may know of. Without a corpus both are searched; of
 * two items with one id the less advanced counts, and if both are done the one ingested last, so that nothing
 * looks done that is not.
 */
export async function findStatuses(
  manager: EntityManager,
  scope: { databaseId: number; collectionId: number; corpus: Corpus | null },
  { ids, access, now }: { ids: readonly string[]; access: ItemAccess; now: Date },
): Promise<StatusRow[]> {
  const parameters = new SqlParameters([scope.databaseId, scope.collectionId, scope.corpus, ids, now]);
  const known = maySeeSql('acl', access, parameters.add);
  return query<StatusRow>(
    manager,
    `select distinct on (id) id, indexing_status, error_code, error_message, status_updated_at
       from sources s
      where database_id = $1 and collection_id = $2 and ($3::text is null or corpus = $3) and id = any($4) and latest
        and ${unexpiredSql('s', '$5')} and ${known}
      order by id, array_position('{queued,processing,graph_creation}'::text[], indexing_status), uid desc`,
    parameters.values,
  );
}

/** Whose items are counted: with a key that has principals those that it may know of, else all. */
interface Counting {
  readonly caller: Pick<Caller, 'principals' | 'scopes'>;
  readonly now: Date;
}

function countedSql(caller: Counting['caller'], add: AddParameter): string {
  if (!caller.principals) return 'true';
  return maySeeSql('s.acl', readItemAccess(caller, undefined), add);
}

/** The number of chunks that readers see, by corpus. */
export async function countChunks(
  manager: EntityManager,
  databaseId: number,
  { caller, now }: Counting,
): Promise<Record<Corpus, number>> {
  const parameters = new SqlParameters([databaseId, now]);
  const rows = await query<{ corpus: Corpus; chunks: string }>(
    manager,
    `select s.corpus, sum(s.chunk_count)::bigint as chunks
       from sources s join collections c on c.id = s.collection_id and not c.deleting
      where s.database_id = $1 and s.visible and ${unexpiredSql('s', '$2')} and ${countedSql(caller, parameters.add)}
      group by s.corpus`,
    parameters.values,
  );
  const counts: Record<Corpus, number> = { knowledge: 0, memory: 0 };
  for (const row of rows) counts[row.corpus] = Number(row.chunks);
  return counts;
}

/**
 * The number of items by indexing status, over all collections and both corpora; statuses without items are
 * left out.
 */
export async function countStatuses(
  manager: EntityManager,
  databaseId: number,
  { caller, now }: Counting,
): Promise<ReadonlyMap<IndexingStatus, number>> {
  const parameters = new SqlParameters([databaseId, now]);
  const rows = await query<{ status: IndexingStatus; items: number }>(
    manager,
    `select s.indexing_status as status, count(*)::int as items
       from sources s join collections c on c.id = s.collection_id and not c.deleting
      where s.database_id = $1 and s.latest and ${unexpiredSql('s', '$2')} and ${countedSql(caller, parameters.add)}
      group by s.indexing_status`,
    parameters.values,
  );
  return new Map(rows.map(({ status, items }) => [status, items]));
}
