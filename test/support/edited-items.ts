import { expect } from '@jest/globals';
import { TestServer, adminKey } from './server.js';
import type { Answer } from './server.js';

const schema = [
  { name: 'team', max_length: 10 },
  { name: 'level', data_type: 'INT32' },
  { name: 'ratio', data_type: 'DOUBLE' },
  { name: 'open', data_type: 'BOOL' },
  { name: 'tree', data_type: 'JSON' },
  { name: 'big', max_length: 65_535 },
  { name: 'topic', enable_sparse_embedding: true },
];

/** A row of an item's versions, as far as an edit may change it. */
interface VersionRow {
  readonly metadata: any;
  readonly additional_metadata: any;
  readonly acl: string[] | null;
}

/** Keys beside the admin's: one that answers as ann, one that only reads. */
export const keyOf = (prefix: 'annkey' | 'reader'): string => `${prefix}.${adminKey.split('.')[1]}`;

/** A server whose items are edited, and what the tests of edits ask of it. */
export class EditedItems {
  server!: TestServer;
  database = '';

  readonly start = async (): Promise<void> => {
    this.server = await TestServer.start();
    await this.server.sql(
      `insert into api_keys (prefix, account_id, secret_hash, name, scopes, principals, created_at)
       select k.prefix, account_id, secret_hash, k.prefix, k.scopes::text[], k.principals::text[], created_at from api_keys,
         (values ('annkey', '{write}', '{ann@example.com}'), ('reader', '{read}', null)) as k(prefix, scopes, principals)
        where api_keys.prefix = 'test'`,
    );
  };

  readonly stop = async (): Promise<void> => this.server.stop();

  /** Begins anew: a database with a schema, and one item of the id "a". */
  readonly reset = async (): Promise<void> => {
    this.database = await this.server.database({ database_metadata_schema: schema });
    await this.upload('a');
  };

  readonly upload = async (id: string, text = 'otters swim', fields: Record<string, string> = {}) => {
    const metadata = { team: 'river', level: 1 };
    const item = { id, metadata, additional_metadata: { lang: 'en', page: { n: 1 } } };
    const document_metadata = JSON.stringify([item]);
    await this.server.upload(this.database, { 'a.txt': text }, { document_metadata, ...fields });
    await this.server.settle();
  };

  readonly edit = (
    body: Record<string, unknown>,
    options: { id?: string; path?: string; key?: string } = {},
  ): Promise<Answer> => {
    const { id = 'a', path = '/context', ...rest } = options;
    const json = { database: this.database, collection: 'default', ...body };
    return this.server.rest('PATCH', `${path}/${encodeURIComponent(id)}/metadata`, { json, ...rest });
  };

  readonly search = async (more: Record<string, unknown> = {}): Promise<any[]> => {
    const json = { database: this.database, query: 'otters', type: 'all', ...more };
    return (await this.server.rest('POST', '/query', { json })).body.data.chunks;
  };

  readonly versions = (): Promise<VersionRow[]> =>
    this.server.sql<VersionRow>(
      `select s.metadata, s.additional_metadata, s.acl, s.updated_at from sources s
         join databases d on d.id = s.database_id where d.name = $1 order by s.uid`,
      [this.database],
    );

  /** The edit is refused, and nothing has changed. */
  readonly expectRefused = async (
    act: () => Promise<Answer>,
    [status, code]: readonly [number, string],
    message: RegExp,
  ): Promise<void> => {
    const before = await this.versions();
    const answer = await act();
    expect([answer.status, answer.body.success, answer.body.data]).toEqual([status, false, null]);
    expect(answer.body.error).toEqual({ code, message: expect.stringMatching(message) });
    expect(await this.versions()).toEqual(before);
  };
}
