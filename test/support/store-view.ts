import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { embeddedSocketFolder } from '../../src/postgres/embedded.js';

/** Where a server in another process keeps its data. */
export interface StorePlace {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/** An item as readers see it. */
export interface StoredItem {
  readonly database: string;
  readonly collection: string;
  readonly corpus: string;
  readonly id: string;
  readonly content: string;
}

/** SQL: the sums of the counters in a store's table, as term and amount, without zeros. */
export function termSumsSql(table: string): string {
  return `select t.term, sum(t.amount) as amount
            from ${table} f, unnest(coalesce(f.terms, array[f.term]), coalesce(f.amounts::bigint[], array[f.amount])) as t(term, amount)
           group by t.term having sum(t.amount) <> 0`;
}

/** Looks directly at the tables and files of a running server, to find what is wrong with them. */
export class StoreView {
  constructor(private readonly place: StorePlace) {}

  async sql<Row = any>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    const { dataDir, databaseUrl } = this.place;
    const client = databaseUrl
      ? new pg.Client({ connectionString: databaseUrl })
      : new pg.Client({ host: embeddedSocketFolder(dataDir), user: 'postgres', database: 'postgres' });
    await client.connect();
    try {
      return (await client.query(statement, parameters)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** Makes every schedule due now. */
  async hurry(): Promise<void> {
    await this.sql('update agenda_jobs set next_run_at = now() where locked_at is null');
  }

  /** Ends the leases of a process that was killed before this moment, as if they had lapsed. */
  async endLeasesFrom(killed: Date): Promise<void> {
    const after = (seconds: number) => new Date(killed.getTime() + seconds * 1000);
    await this.sql('update sources set lease_until = $2 where lease_until <= $1', [after(30), killed]);
    await this.sql('update databases set lease_until = $2 where lease_until <= $1', [after(60), killed]);
    await this.sql('update connectors set lease_until = $2 where lease_until <= $1', [after(90), killed]);
    await this.sql('update idempotency_keys set lease_until = $2 where lease_until <= $1', [
      after(20),
      killed,
    ]);
  }

  async items(): Promise<StoredItem[]> {
    const items: StoredItem[] = [];
    for (const { store, database } of await this.stores()) {
      items.push(
        ...(await this.sql<StoredItem>(
          `select $1 as database, k.name as collection, s.corpus, s.id, c.content
             from chunks_${store} c join sources s on s.database_id = c.database_id and s.uid = c.source_uid
             join collections k on k.id = s.collection_id
            where s.visible and not k.deleting`,
          [database],
        )),
      );
    }
    return items;
  }

  /** Work that is left: items, databases and collections that are not in a final state. */
  async unfinished(): Promise<string[]> {
    const rows = await this.sql<{ what: string }>(
      `select 'item ' || id || ' ' || indexing_status || ' ' || error_code as what from sources
        where latest and indexing_status <> 'completed' or not latest or not visible or lease_token is not null
       union all select 'synced item ' || item_id from connector_items where gone or digest = ''
       union all select 'collection ' || name from collections where deleting
       union all select 'database ' || name || ' ' || status from databases where status <> 'ready' or lease_until is not null`,
    );
    return rows.map(({ what }) => what);
  }

  /** Contradictions between chunks, vectors and counters of stores, tables and files. */
  async contradictions(): Promise<string[]> {
    const found: string[] = [];
    const report = (what: string, rows: readonly unknown[]) => {
      if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows.slice(0, 5))}`);
    };
    for (const { store, id, corpus } of await this.stores()) {
      for (const [what, statement] of Object.entries(checksOf(store)))
        report(`${store} ${what}`, await this.sql(statement, [id, corpus]));
    }
    report(
      'tables without a database',
      await this.sql(
        `select relname from pg_class where relkind = 'r' and relname ~ '^(chunks|chunk_vectors|term_frequencies|relation_groups|item_links|entity_mentions)_\\d+_'
          and split_part(substring(relname from '_\\d+_.*$'), '_', 2)::int not in (select id from databases)`,
      ),
    );
    const keys = await this.sql<{ key: string }>(
      'select storage_key as key from sources where storage_key is not null',
    );
    const files = new Set(this.files());
    report(
      'rows without a file',
      keys.filter(({ key }) => !files.has(key)),
    );
    return found;
  }

  /** Files that no row names. */
  async orphans(): Promise<string[]> {
    const keys = await this.sql<{ key: string }>('select storage_key as key from sources');
    const named = new Set(keys.map(({ key }) => key));
    return [...this.files().filter((file) => !named.has(file)), ...this.names('incoming')];
  }

  /** Makes every file look as if it had been written two hours ago. */
  ageFiles(): void {
    const then = new Date(Date.now() - 7_200_000);
    for (const file of this.files()) utimesSync(join(this.place.dataDir, 'files', file), then, then);
    for (const name of this.names('incoming'))
      utimesSync(join(this.place.dataDir, 'incoming', name), then, then);
  }

  private files(): string[] {
    const folders = this.names('files').filter((name) => name !== 'owner');
    return folders.flatMap((folder) => this.names(join('files', folder)).map((name) => `${folder}/${name}`));
  }

  private names(folder: string): string[] {
    const path = join(this.place.dataDir, folder);
    return existsSync(path) ? readdirSync(path) : [];
  }

  private async stores(): Promise<{ store: string; database: string; id: number; corpus: string }[]> {
    return this.sql(
      `select id || '_' || corpus as store, name as database, id, corpus from databases, unnest(array['knowledge', 'memory']) as corpus
        where status = 'ready' order by 1`,
    );
  }
}

/** Statements that find nothing in a sound store; $1 is its database, $2 its corpus. */
function checksOf(store: string): Record<string, string> {
  return {
    'chunks of no version': `select c.source_uid, $2::text from chunks_${store} c
      where not exists (select 1 from sources s where s.database_id = $1 and s.uid = c.source_uid and s.visible)`,
    'a graph of no version': `select g.source_uid, $2::text from (
        select source_uid from relation_groups_${store} union select source_uid from item_links_${store}
        union select source_uid from entity_mentions_${store}) g
      where not exists (select 1 from sources s where s.database_id = $1 and s.uid = g.source_uid and s.visible)`,
    'versions whose chunks are not as many as they say': `select s.id, s.chunk_count, count(c.id) from sources s
      left join chunks_${store} c on c.source_uid = s.uid
      where s.database_id = $1 and s.corpus = $2 and s.visible group by s.uid, s.id, s.chunk_count
      having count(c.id) <> s.chunk_count or count(distinct c.position) <> count(c.id)`,
    'chunks without exactly one vector': `select c.id, $1::int, $2::text from chunks_${store} c
      full join chunk_vectors_${store} v on v.chunk_id = c.id and v.source_uid = c.source_uid
      group by c.id, v.chunk_id having count(c.id) <> 1 or count(v.chunk_id) <> 1`,
    'counters that do not count the chunks': `select term, wanted, amount, $1::int, $2::text from
      (select term, count(*) as wanted from chunks_${store}, unnest(terms) as term group by term
       union all select 0, count(*) from chunks_${store} having count(*) > 0
       union all select -1, sum(length) from chunks_${store} having count(*) > 0) w
      full join (${termSumsSql(`term_frequencies_${store}`)}) f
      using (term) where wanted is distinct from amount`,
  };
}
