import { expect } from '@jest/globals';
import { addOtherAccount } from '../other-account.js';
import { TestServer } from '../server.js';
import type { Answer, CallOptions } from '../server.js';
import { ScriptedAccount, scriptedProvider } from './scripted-provider.js';

/** A server with a scripted provider, and an account of it that is new for each test. */
export class ConnectedAccount {
  server!: TestServer;
  account!: ScriptedAccount;
  database = '';
  readonly providers = [
    // Asks the account of the test that runs.
    {
      ...scriptedProvider(new ScriptedAccount()),
      open: (connection: never) => this.provider.open(connection),
    },
    { ...scriptedProvider(new ScriptedAccount(), { id: 'switched-off' }), name: 'Switched off' },
  ];

  readonly start = async (environment: NodeJS.ProcessEnv = {}): Promise<void> => {
    this.server = await TestServer.start({
      connectorProviders: this.providers,
      environment: { CONNECTORS_DISABLED: 'switched-off', ...environment },
    });
    await addOtherAccount(this.server);
    this.database = await this.server.database({
      database_metadata_schema: [{ name: 'team' }, { name: 'size', data_type: 'INT64' }],
    });
  };

  readonly stop = async (): Promise<void> => this.server.stop();

  readonly reset = async (): Promise<void> => {
    this.account = new ScriptedAccount('general', 'random', 'third');
    await this.server.sql('delete from connectors');
    await this.server.sql('delete from connector_syncs');
  };

  readonly create = (more: Record<string, unknown> = {}, options: CallOptions = {}): Promise<Answer> => {
    const credentials = { secret: this.account.secret };
    const json = { provider: 'scripted', database: this.database, credentials, ...more };
    return this.server.rest('POST', '/connectors', { json, ...options });
  };

  /** Connects the account; returns the id of the connector. */
  readonly connect = async (more: Record<string, unknown> = {}): Promise<string> => {
    const answer = await this.create(more);
    expect([answer.status, answer.body.error]).toEqual([201, undefined]);
    return answer.body.connector_id;
  };

  readonly call = (
    method: string,
    id: string,
    { path = '', ...options }: CallOptions & { path?: string } = {},
  ): Promise<Answer> => this.server.rest(method, `/connectors/${id}${path}`, options);

  readonly show = async (id: string): Promise<any> => (await this.call('GET', id)).body;

  readonly configure = (
    id: string,
    resources: unknown,
    more: Record<string, unknown> = {},
  ): Promise<Answer> => this.call('POST', id, { path: '/configure', json: { resources, ...more } });

  readonly resources = async (id: string): Promise<any[]> =>
    (await this.call('GET', id, { path: '/resources' })).body.resources;

  /** As if a sync of everything had ended. */
  readonly endRun = async (id: string): Promise<void> => {
    await this.server.sql('update connectors set run_id = null, step_at = null where id = $1', [id]);
    await this.server.sql(
      `update connector_resources set first_synced_at = $2, cursor = '7', health = 'ok' where connector_id = $1`,
      [id, this.server.clock.now()],
    );
  };

  private get provider() {
    return scriptedProvider(this.account);
  }
}

/** What a refusal says: its status, code and message. */
export function refusal({ status, body }: Answer): [number, string, string] {
  return [status, body.error?.code, body.error?.message];
}
