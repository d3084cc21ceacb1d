import type { EntityManager } from 'typeorm';
import { query } from '../../postgres/query.js';
import { SqlParameters } from '../../postgres/sql-parameters.js';
import type { Corpus } from '../../postgres/stores.js';
import type { Acl } from '../acl.js';
import type { DeclaredRelation } from '../ingest/declared-relations.js';
import type { AppContent, AppKind, JsonObject, MemoryContent } from '../source.types.js';
import { unexpiredSql } from '../sources.queries.js';
import type { SourceScope } from '../sources.queries.js';
import type { IndexingStatus } from '../status/indexing-status.js';
import type { SourceCondition } from './source-filters.js';

// An item exists while its latest version does and has not expired. What is shown of it is the version that
// readers see, or the latest one while there is none.

/** What is shown of an item, with the status of its latest version. */
export interface ShownItem {
  readonly uid: string;
  readonly id: string;
  readonly corpus: Corpus;
  readonly visible: boolean;
  readonly title: string;
  readonly type: string | null;
  readonly description: string | null;
  readonly url: string | null;
  readonly itemTime: Date | null;
  readonly metadata: JsonObject;
  readonly additionalMetadata: JsonObject;
  readonly acl: Acl;
  readonly indexingStatus: IndexingStatus;
  readonly appKind: AppKind | null;
  readonly appProvider: string | null;
  readonly appExternalId: string | null;
  readonly appParentId: string | null;
  readonly appThreadId: string | null;
  readonly declaredRelations: readonly DeclaredRelation[] | null;
  readonly evidenceKind: string | null;
  readonly evidenceSubject: string | null;
  readonly memory: MemoryContent | null;
  readonly infer: boolean;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The same, and what its original was made of. */
export interface ShownOriginal extends ShownItem {
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly contentBytes: number;
  readonly storageKey: string | null;
  readonly app: AppContent | null;
}

/** Columns of a ShownItem; `l` is the latest version, `s` the one that is shown. */
export const shownColumns = `s.uid, s.id, s.corpus, s.visible, s.title, s.type, s.description, s.url,
  s.item_time as "itemTime", s.metadata, s.additional_metadata as "additionalMetadata", s.acl,
  l.indexing_status as "indexingStatus", s.app_kind as "appKind", s.app_provider as "appProvider",
  s.app_external_id as "appExternalId", s.app_parent_id as "appParentId", s.app_thread_id as "appThreadId",
  s.declared_relations as "declaredRelations", s.evidence_kind as "evidenceKind",
  s.evidence_subject as "evidenceSubject", s.memory, s.infer, s.expires_at as "expiresAt",
  s.created_at as "createdAt", s.updated_at as "updatedAt"`;

const originalColumns = `${shownColumns}, s.filename, s.content_type as "contentType",
  s.content_bytes::float8 as "contentBytes", s.storage_key as "storageKey", s.app`;

/**
 * SQL: a subquery that selects from `s`, the shown version of the item whose latest version is `l`. Each step
 * is one look into a unique index, whatever the planner believes about the table.
 */
export function shownVersionSql(select: string, now: string): string {
  return `(select ${select} from sources s where s.database_id = l.database_id and s.uid = case when l.visible then l.uid
    else coalesce((select v.uid from sources v
      where v.database_id = l.database_id and v.collection_id = l.collection_id and v.corpus = l.corpus and v.id = l.id
        and v.visible and ${unexpiredSql('v', now)}), l.uid) end)`;
}

/** The items with these ids whose shown version meets a condition. */
export function findShown(
  manager: EntityManager,
  scope: SourceScope,
  {
    ids,
    now,
    condition,
  }: {
    ids: readonly string[];
    now: Date;
    condition: SourceCondition;
  },
): Promise<ShownOriginal[]> {
  const parameters = new SqlParameters([scope.databaseId, scope.collectionId, scope.corpus, ids, now]);
  const holds = condition('s', parameters.add);
  return query<ShownOriginal>(
    manager,
    `select ${originalColumns} from sources l cross join lateral ${shownVersionSql('*', '$5')} s
      where l.database_id = $1 and l.collection_id = $2 and l.corpus = $3 and l.id = any($4) and l.latest
        and ${unexpiredSql('l', '$5')} and ${holds}`,
    parameters.values,
  );
}
