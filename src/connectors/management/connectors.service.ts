import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import type { Database } from '../../databases/database.entity.js';
import { holdDatabase } from '../../databases/databases.service.js';
import type { DatabasesService } from '../../databases/databases.service.js';
import { AppError, invalidInput } from '../../errors.js';
import type { Wake } from '../../jobs/define-job.js';
import type { Clock } from '../../lib/clock.js';
import { KEY_FORMS, keyBehind } from '../../lib/list-cursor.js';
import type { ListOrder } from '../../lib/list-cursor.js';
import { connection, pageRange } from '../../lib/page.types.js';
import { LIMITS } from '../../limits.js';
import type { JsonObject } from '../../sources/source.types.js';
import type { Provider } from '../provider.js';
import { askProvider } from '../provider-failure.js';
import type { ProviderSessions } from '../provider-sessions.js';
import { reviveResources } from '../resources/resource-store.queries.js';
import { timeText, toConnector } from './connector-answer.js';
import { readConnector, readCredentials, readUpdate, switchedOff } from './connector-request.js';
import type { ReadConnector, ReadUpdate } from './connector-request.js';
import type { ConnectorRow } from './connector-rows.js';
import { ConnectorInclude } from './connector.types.js';
import type {
  ConnectorDeletion,
  ConnectorUpdate,
  CreateConnectorInput,
  UpdateConnectorInput,
} from './connector-changes.types.js';
import type { Connector, ConnectorConnection, ConnectorsArgs } from './connector.types.js';
import {
  countConnectors,
  findConnector,
  findNewestCredentials,
  insertConnector,
  listConnectors,
  lockConnectors,
  markDeleted,
  refuseForConnectors,
  unblock,
  updateConnector,
} from './connectors.queries.js';
import type { ListedConnectorRow } from './connectors.queries.js';
import { intervalOf } from './provider-list.js';

export interface ConnectorsOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly databases: DatabasesService;
  readonly providerSessions: ProviderSessions;
  /** How many connectors an account may have; undefined for any number. */
  readonly connectorsMax: number | undefined;
  /** Whether the processes that sync can open what this one seals. */
  readonly sealsCredentials: boolean;
}

interface NewConnector {
  readonly id: string;
  readonly provider: Provider;
  readonly read: ReadConnector;
  readonly database: Database;
  readonly credentials: JsonObject;
}

const checkMsMax = 20_000;

/** The accounts of providers that an account of ours has connected. */
export class ConnectorsService {
  constructor(private readonly options: ConnectorsOptions) {}

  /**
   * Connects an account: nothing is stored unless the provider accepts the credentials.
   * @throws AppError in this order: INVALID_INPUT, DATABASE_NOT_FOUND or TENANT_INFRA_NOT_READY, FORBIDDEN, PAYMENT_REQUIRED,
   *   UNPROCESSABLE for bad credentials, SERVICE_UNAVAILABLE when the provider cannot be asked.
   */
  async create(caller: Caller, input: CreateConnectorInput, newId: () => string): Promise<Connector> {
    refuseForConnectors(caller);
    const { databases, providerSessions, postgres, wake } = this.options;
    const provider = providerSessions.find(input.provider);
    if (!provider) throw unknownProvider(providerSessions.providers);
    const read = readConnector(provider, input);
    const database = await databases.findReady(caller, input.database);
    if (!providerSessions.isAvailable(provider)) throw switchedOff(provider.name);
    const id = newId();
    await this.checkPlan(postgres.manager, caller, id);
    const credentials = await this.checkCredentials(provider, input.credentials);
    const row = await postgres.transaction(async (manager) => {
      await lockConnectors(manager, caller.accountId);
      // It may have been deleted while the provider was asked.
      await holdDatabase(manager, database);
      await this.checkPlan(manager, caller, id);
      await this.insert(manager, caller, { id, provider, read, database, credentials });
      return findConnector(manager, caller, { id });
    });
    wake('sync-connectors');
    return { ...toConnector(row), firstSyncAt: timeText(row.nextSyncAt) };
  }

  async list(caller: Caller, args: ConnectorsArgs): Promise<ConnectorConnection> {
    refuseForConnectors(caller);
    const { provider = null, include } = args;
    const range = pageRange(args);
    const { manager } = this.options.postgres;
    const order: ListOrder<ListedConnectorRow> = {
      list: `connectors.${caller.accountId}`,
      keyOf: ({ createdAt, id }) => [String(createdAt.getTime()), id],
      forms: [KEY_FORMS.milliseconds, KEY_FORMS.uuid],
    };
    const behind = keyBehind(range.cursor, order);
    const { rows, total } = await listConnectors(manager, caller, { provider, range, behind });
    const page = connection(rows, total, { range, order });
    const nodes = page.nodes.map((row) => toConnector(row));
    const healths = nodes.map(({ connectorId, health }) => [connectorId, health] as const);
    return {
      ...page,
      nodes,
      connectorLimit: {
        count: provider === null ? total : await countConnectors(manager, caller),
        limit: this.options.connectorsMax ?? null,
      },
      healthById: include?.includes(ConnectorInclude.health) ? Object.fromEntries(healths) : null,
    };
  }

  /** @throws AppError NOT_FOUND */
  async find(caller: Caller, id: string): Promise<Connector> {
    return toConnector(await findConnector(this.options.postgres.manager, caller, { id }));
  }

  /** Changes settings. New credentials are checked as at creation, and unblock a connector. */
  async update(caller: Caller, id: string, input: UpdateConnectorInput): Promise<ConnectorUpdate> {
    const { postgres, providerSessions, wake } = this.options;
    const { provider: providerId } = await findConnector(postgres.manager, caller, { id });
    const provider = providerSessions.find(providerId);
    const read = readUpdate(provider, input);
    if (!provider) throw switchedOff(providerId);
    if (read.credentials && !providerSessions.isAvailable(provider)) throw switchedOff(provider.name);
    const credentials = read.credentials && (await this.checkCredentials(provider, read.credentials));
    const row = await postgres.transaction(async (manager) => {
      const before = await findConnector(manager, caller, { id, lock: true });
      await this.change(manager, before, { ...read, credentials });
      return findConnector(manager, caller, { id });
    });
    if (credentials || read.syncIntervalSeconds !== undefined) wake('sync-connectors');
    const bounds = intervalOf(provider);
    return {
      connectorId: row.id,
      name: row.name,
      syncIntervalSeconds: row.syncIntervalSeconds,
      nextSyncAt: timeText(row.nextSyncAt),
      minSyncIntervalSeconds: bounds.min,
      maxSyncIntervalSeconds: bounds.max,
      customInstructionsUpdated: read.customInstructions !== undefined,
      credentialsUpdated: credentials !== undefined,
    };
  }

  /**
   * Hides a connector and erases its credentials at once; with `purge`, what it has synced is removed in the
   * background.
   */
  async delete(caller: Caller, id: string, purge: boolean): Promise<ConnectorDeletion> {
    const { postgres, clock, wake } = this.options;
    const connectorId = await postgres.transaction(async (manager) => {
      const connector = await findConnector(manager, caller, { id, lock: true });
      await markDeleted(manager, connector.id, { purge, now: clock.now() });
      return connector.id;
    });
    wake('purge-connectors');
    return { connectorId, deleted: true };
  }

  /**
   * Seals anew what older keys have sealed, and checks that this process can open what others have. @throws
   * UnopenableSecretError
   */
  async checkSecrets(): Promise<void> {
    const { postgres, providerSessions } = this.options;
    await providerSessions.reseal();
    const row = await findNewestCredentials(postgres.manager);
    if (row) providerSessions.unseal(row.id, row.credentials);
  }

  // If the creation is a repetition by Idempotency-Key, its first attempt may have left the row.
  private async checkPlan(manager: EntityManager, { accountId }: Caller, id: string): Promise<void> {
    const { connectorsMax } = this.options;
    if (connectorsMax === undefined) return;
    const count = await countConnectors(manager, { accountId, databases: null }, id);
    if (count < connectorsMax) return;
    throw new AppError(
      'PAYMENT_REQUIRED',
      `the plan of this account allows no further connector (at most ${connectorsMax}, and it has ${count}); delete one first`,
    );
  }

  /** The credentials to store: the provider may have replaced them when it was asked. */
  private async checkCredentials(provider: Provider, given: JsonObject): Promise<JsonObject> {
    let credentials = readCredentials(provider, given);
    if (!this.options.sealsCredentials)
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        'credentials cannot be stored: CREDENTIALS_KEY is not configured, which web and worker processes must share',
      );
    const session = this.options.providerSessions.open({
      provider,
      credentials,
      save: async (replaced) => {
        credentials = replaced;
      },
    });
    await askProvider(session, { name: provider.name, milliseconds: checkMsMax }, (asked, signal) =>
      asked.check(signal),
    );
    return credentials;
  }

  private async insert(
    manager: EntityManager,
    { accountId }: Caller,
    { id, provider, read, database, credentials }: NewConnector,
  ): Promise<void> {
    const { clock, providerSessions } = this.options;
    const now = clock.now();
    await insertConnector(manager, {
      ...read,
      id,
      accountId,
      databaseId: database.id,
      provider: provider.id,
      credentials: providerSessions.seal(id, credentials),
      nextSyncAt: new Date(now.getTime() + LIMITS.firstSyncSeconds * 1000),
      createdAt: now,
    });
  }

  private async change(manager: EntityManager, before: ConnectorRow, update: ReadUpdate): Promise<void> {
    const { clock, providerSessions } = this.options;
    const { credentials, ...settings } = update;
    const now = clock.now();
    await updateConnector(manager, before.id, {
      ...settings,
      credentials: credentials && providerSessions.seal(before.id, credentials),
      nextSyncAt: nextSyncAt(before, update, now),
      now,
    });
    if (!credentials) return;
    await unblock(manager, { id: before.id, reauth: true, now });
    await reviveResources(manager, before.id);
  }
}

/**
 * New credentials are tried at once. A new interval counts from the last sync; a first sync keeps its time.
 */
function nextSyncAt(before: ConnectorRow, { credentials, syncIntervalSeconds }: ReadUpdate, now: Date): Date {
  if (credentials) return now;
  const last = before.lastAttemptedSyncAt;
  if (syncIntervalSeconds === undefined || !last) return before.nextSyncAt;
  return new Date(Math.max(now.getTime(), last.getTime() + syncIntervalSeconds * 1000));
}

function unknownProvider(providers: readonly Provider[]): AppError {
  const known = providers.map(({ id }) => id);
  return invalidInput('provider', `must be one of ${known.join(', ')}`);
}
