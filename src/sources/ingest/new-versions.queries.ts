import type { EntityManager } from 'typeorm';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import { mayReadSql } from '../acl.js';
import type { Acl, Readers } from '../acl.js';
import { unexpiredSql } from '../sources.queries.js';
import type { SourceScope } from '../sources.queries.js';
import { largeBytesMin } from '../status/indexing-queue.js';
import type { OutboxSql } from '../status/status-outbox.js';
import type { NewSource } from './new-source.js';

const penaltySecondsMax = 600;

/** The versions that stand under some ids before a write. */
export interface ExistingVersions {
  /** Ids whose items the write may not replace. */
  readonly taken: ReadonlySet<string>;
  readonly uids: readonly string[];
}

/**
 * The versions that stand under some ids. Those who are `replaceableBy` may replace what they may read; null:
 * nobody may replace anything. Versions that are to be replaced stay locked until the transaction ends, so
 * that no edit of an access list comes in between.
 */
export async function findExisting(
  manager: EntityManager,
  scope: SourceScope,
  { ids, replaceableBy, now }: { ids: readonly string[]; replaceableBy: Readers; now: Date },
): Promise<ExistingVersions> {
  const parameters = new SqlParameters([scope.databaseId, scope.collectionId, scope.corpus, ids, now]);
  const replaceable = replaceableBy === null ? 'false' : mayReadSql('acl', replaceableBy, parameters.add);
  const rows = await query<{ id: string; uid: string; taken: boolean }>(
    manager,
    `select id, uid, ${unexpiredSql('s', '$5')} and not (${replaceable}) as taken from sources s
      where database_id = $1 and collection_id = $2 and corpus = $3 and id = any($4) and (latest or visible)
      order by id, uid ${replaceableBy === null ? '' : 'for no key update'}`,
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
  const replaced = await takeLatest(manager, scope, { sources, now, over });
  const rows = inheriting(sources, replaced, now);
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
      scope.databaseId,
      scope.collectionId,
      scope.corpus,
      JSON.stringify(rows),
      now,
      queueAt(sources, now),
      largeBytesMin,
      replaced.map(({ id }) => id),
      replaced.map(({ uid }) => uid),
    ],
  );
  await limitVisible(manager, scope, sources);
  return new Map(rows.map(({ id, acl }) => [id, acl]));
}

/** A version that was the latest until a new one took its place. */
interface ReplacedVersion {
  readonly id: string;
  readonly uid: string;
  readonly createdAt: Date;
  readonly acl: Acl;
  readonly unexpired: boolean;
}

/** Takes `latest` from the versions that are to be replaced. */
function takeLatest(
  manager: EntityManager,
  { databaseId, collectionId, corpus }: SourceScope,
  { sources, now, over }: Pick<NewVersions, 'sources' | 'now' | 'over'>,
): Promise<ReplacedVersion[]> {
  return query<ReplacedVersion>(
    manager,
    `update sources s set latest = false
      where database_id = $1 and collection_id = $2 and corpus = $3 and id = any($4) and latest
        and ($6::bigint[] is null or uid = any($6))
     returning id, uid, created_at as "createdAt", acl, ${unexpiredSql('s', '$5')} as unexpired`,
    [databaseId, collectionId, corpus, sources.map(({ id }) => id), now, over ?? null],
  );
}

/** New versions with what those before hand down. An expired item hands nothing down: its id is free. */
function inheriting(sources: readonly NewSource[], replaced: readonly ReplacedVersion[], now: Date) {
  const known = new Map(replaced.filter(({ unexpired }) => unexpired).map((row) => [row.id, row]));
  return sources.map((source) => {
    const previous = known.get(source.id);
    const acl = source.acl === undefined ? (previous?.acl ?? null) : source.acl;
    return { ...source, acl, createdAt: previous?.createdAt ?? now, previousUid: previous?.uid };
  });
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
