import type { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { holdDatabase } from '../../databases/databases.service.js';
import type { DatabasesService } from '../../databases/databases.service.js';
import { AppError, invalidInput } from '../../errors.js';
import type { Wake } from '../../jobs/define-job.js';
import { boundedNumber } from '../../lib/bounded-number.js';
import type { Clock } from '../../lib/clock.js';
import { clip } from '../../lib/characters.js';
import { cleanJson, cleanText } from '../../lib/clean-text.js';
import { counted } from '../../lib/counted.js';
import { forEachConcurrently } from '../../lib/for-each-concurrently.js';
import { boundedText } from '../../lib/text-check.js';
import { LIMITS } from '../../limits.js';
import { timeText, toResource } from '../management/connector-answer.js';
import { switchedOff } from '../management/connector-request.js';
import type { ConnectorRow, ResourceRow } from '../management/connector-rows.js';
import { findConnector, unblock } from '../management/connectors.queries.js';
import { ProviderError } from '../provider.js';
import type { DiscoveredResource, Provider } from '../provider.js';
import { askProvider, toCallersError } from '../provider-failure.js';
import type { ProviderSessions } from '../provider-sessions.js';
import { beginRun } from '../sync/begin-run.js';
import {
  checkResourceIds,
  ownDatabase,
  readLookback,
  readResource,
  readResourceUpdate,
} from './connector-resource-request.js';
import type { PathOf, ReadResource, ResourcesContext, TargetDatabase } from './connector-resource-request.js';
import type {
  ConfigureConnectorInput,
  ConnectorConfiguration,
  ConnectorDiscovery,
  ConnectorResource,
  ConnectorResourceInput,
  ConnectorResourceList,
  ConnectorResourceRemoval,
  ConnectorResourceUpdate,
  UpdateConnectorResourceInput,
} from './connector-resource.types.js';
import {
  countResources,
  findResources,
  removeResource,
  saveResources,
  updateResource,
} from './resource-store.queries.js';

interface ConnectorResourcesOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly databases: DatabasesService;
  readonly providerSessions: ProviderSessions;
  /** How many syncs an account may begin in a day (UTC); undefined for any number. */
  readonly syncsPerDayMax: number | undefined;
}

/** Resources to save, and how the caller named their fields. */
interface Configuration {
  readonly resources: readonly ConnectorResourceInput[];
  readonly lookbackDays: number | null | undefined;
  readonly pathOf: PathOf;
}

/** The saved resources, and what follows. */
interface Configured {
  readonly connector: ConnectorRow;
  readonly resources: readonly ReadResource[];
  /** Why no sync has begun; undefined when one has, or was under way already. */
  readonly waits: string | undefined;
  readonly firstSyncAt: Date;
}

const discoverMsMax = 20_000;
const describeMsMax = 60_000;
const describedAtOnce = 4;

/** The resources of connectors: what is synced of their accounts. */
export class ConnectorResourcesService {
  constructor(private readonly options: ConnectorResourcesOptions) {}

  /** @throws AppError NOT_FOUND */
  async list(caller: Caller, id: string): Promise<ConnectorResourceList> {
    const { manager } = this.options.postgres;
    const connector = await findConnector(manager, caller, { id });
    const rows = await findResources(manager, id);
    return { resources: rows.map((row) => toResource(connector, row)) };
  }

  /**
   * A page of what the provider offers. @throws AppError NOT_FOUND, FORBIDDEN, UNPROCESSABLE,
   * SERVICE_UNAVAILABLE
   */
  async discover(
    caller: Caller,
    id: string,
    page: { cursor?: string | null | undefined; limit?: number | null | undefined },
  ): Promise<ConnectorDiscovery> {
    const limit = boundedNumber(page.limit ?? LIMITS.discoveredDefault, 'limit', LIMITS.discoveredMax);
    const cursor = boundedText(page.cursor ?? '', 'cursor', LIMITS.discoverCursorCharactersMax);
    const { postgres, clock, wake } = this.options;
    const connector = await findConnector(postgres.manager, caller, { id });
    const provider = this.providerOf(connector);
    const session = await this.openSession(connector, provider);
    const found = await askProvider(
      session,
      { name: provider.name, milliseconds: discoverMsMax },
      (asked, signal) => asked.discover({ cursor, limit }, signal).catch(refuseCursor),
    );
    if (connector.needsReauthAt) {
      // The provider accepts the credentials again.
      await unblock(postgres.manager, { id: connector.id, reauth: true, now: clock.now() });
      wake('sync-connectors');
    }
    return {
      provider: provider.id,
      resources: found.resources.map(({ type, ...rest }) => ({ ...rest, resourceType: type })),
      nextCursor: found.nextCursor,
      hasMore: found.nextCursor !== null,
    };
  }

  /** Configures some resources and begins a sync; other resources stay as they are. All are saved or none. */
  async configure(
    caller: Caller,
    id: string,
    input: ConfigureConnectorInput,
  ): Promise<ConnectorConfiguration> {
    const { resources, lookbackDays } = input;
    const pathOf: PathOf = (index, field) => `resources[${index}].${field}`;
    const saved = await this.save(caller, id, { resources, lookbackDays, pathOf });
    const count = counted(saved.resources.length, 'resource is', 'resources are');
    return {
      connectorId: saved.connector.id,
      configured: saved.resources.length,
      backfill: saved.resources.some((each) => each.lookbackDays > LIMITS.lookbackDaysDefault),
      firstSyncAt: timeText(saved.firstSyncAt),
      message: `${count} configured; ${saved.waits ?? 'a sync is under way'}`,
      warnings: saved.waits === undefined ? [] : [saved.waits],
    };
  }

  /** Adds one resource, or configures it again, and begins a sync. */
  async add(
    caller: Caller,
    id: string,
    input: { resource: ConnectorResourceInput; lookbackDays?: number | null | undefined },
  ): Promise<ConnectorResource> {
    const { resource, lookbackDays } = input;
    const pathOf: PathOf = (_index, field) => field;
    const { connector } = await this.save(caller, id, { resources: [resource], lookbackDays, pathOf });
    const [row] = await findResources(this.options.postgres.manager, id, [resource.resourceId]);
    if (!row) throw resourceNotFound(resource.resourceId);
    return toResource(connector, row);
  }

  /** @throws AppError NOT_FOUND, INVALID_INPUT */
  async update(
    caller: Caller,
    { id, resourceId }: { id: string; resourceId: string },
    input: UpdateConnectorResourceInput,
  ): Promise<ConnectorResourceUpdate> {
    const { postgres, databases, clock, wake } = this.options;
    const connector = await findConnector(postgres.manager, caller, { id });
    const provider = this.providerOf(connector);
    const target = (await findResource(postgres.manager, { id, resourceId })).database ?? connector.database;
    const { metadataSchema } = await databases.find(caller, target);
    const row = await postgres.transaction(async (manager) => {
      await findConnector(manager, caller, { id, lock: true });
      const before = await findResource(manager, { id, resourceId });
      const now = clock.now();
      const update = readResourceUpdate(input, before, { provider, metadataSchema, now });
      await unblock(manager, { id: connector.id, reauth: false, now });
      return updateResource(manager, before, { update, now });
    });
    if (!row) throw resourceNotFound(resourceId);
    if (input.acl !== undefined) wake('apply-connector-acls');
    wake('sync-connectors');
    return {
      ...toResource(connector, row),
      customInstructionsUpdated: input.customInstructions !== undefined,
      aclUpdated: input.acl !== undefined,
      filtersUpdated: input.filters !== undefined,
      metadataUpdated: input.metadata !== undefined,
      additionalMetadataUpdated: input.additionalMetadata !== undefined,
    };
  }

  /**
   * Removes a resource, so that it is not synced any more; what was synced stays. @throws AppError NOT_FOUND
   */
  async remove(caller: Caller, id: string, resourceId: string): Promise<ConnectorResourceRemoval> {
    const { postgres, clock, wake } = this.options;
    const connectorId = await postgres.transaction(async (manager) => {
      const connector = await findConnector(manager, caller, { id, lock: true });
      if (!(await removeResource(manager, connector.id, resourceId))) throw resourceNotFound(resourceId);
      await unblock(manager, { id: connector.id, reauth: false, now: clock.now() });
      return connector.id;
    });
    wake('sync-connectors');
    return { connectorId, resourceId, deleted: true };
  }

  private async save(caller: Caller, id: string, asked: Configuration): Promise<Configured> {
    const { postgres, clock, wake } = this.options;
    const connector = await findConnector(postgres.manager, caller, { id });
    const provider = this.providerOf(connector);
    checkResourceIds(asked.resources, asked.pathOf);
    const lookbackDays = readLookback(asked.lookbackDays, 'lookback_days', undefined);
    const overrides = await findOverrides(postgres.manager, id, asked.resources);
    const databases = await this.findDatabases(caller, [connector.database, ...overrides]);
    const connectorDatabase = databases.get(connector.database);
    if (!connectorDatabase) throw new Error('the database of a connector was not looked up');
    const context = { provider, connectorDatabase, databases, lookbackDays, now: clock.now() };
    await readAll(postgres.manager, asked, { ...context, connectorId: id });
    const described = await this.describe(connector, provider, asked.resources);
    const saved = await postgres.transaction(async (manager) => {
      await holdDatabases(manager, databases);
      const locked = await findConnector(manager, caller, { id, lock: true });
      // Checked again: the configuration may have changed while the provider was asked.
      const resources = await readAll(manager, asked, { ...context, connectorId: id });
      await this.store(manager, id, { resources, described, now: context.now });
      return { resources, ...(await this.begin(manager, locked, context.now)) };
    });
    wake('apply-connector-acls');
    wake('sync-connectors');
    return { connector, ...saved };
  }

  private async store(
    manager: EntityManager,
    connectorId: string,
    {
      resources,
      described,
      now,
    }: {
      resources: readonly ReadResource[];
      described: ReadonlyMap<string, DiscoveredResource>;
      now: Date;
    },
  ): Promise<void> {
    await saveResources(manager, {
      connectorId,
      now,
      resources: resources.map(({ name, ...resource }) => {
        const found = described.get(resource.resourceId);
        return {
          ...resource,
          displayName:
            name || clip(cleanText(found?.name ?? resource.resourceId), LIMITS.resourceNameCharactersMax),
          resourceType: resource.resourceType || (found?.type ?? ''),
          providerMetadata: cleanJson(found?.metadata ?? {}),
        };
      }),
    });
    const count = await countResources(manager, connectorId);
    const max = LIMITS.resourcesPerConnectorMax;
    if (count > max) throw invalidInput('resources', `would be ${count} of this connector; at most ${max}`);
    // The provider has just accepted the credentials, whatever was known of them before.
    await unblock(manager, { id: connectorId, reauth: true, now });
  }

  /** Begins a sync, unless one is under way, which will include what is new. */
  private async begin(
    manager: EntityManager,
    { id, accountId, pausedAt, nextSyncAt }: ConnectorRow,
    now: Date,
  ): Promise<Pick<Configured, 'waits' | 'firstSyncAt'>> {
    if (pausedAt) return { waits: 'they are synced when the connector is resumed', firstSyncAt: nextSyncAt };
    const { syncsPerDayMax } = this.options;
    const begun = await beginRun(manager, { connectorId: id, accountId, now, syncsPerDayMax });
    if (!('refused' in begun) || begun.refused === 'running') return { waits: undefined, firstSyncAt: now };
    return {
      waits: 'the account has used up its syncs of the day, so they wait for the schedule',
      firstSyncAt: nextSyncAt,
    };
  }

  /** Asks the provider about each resource. @throws AppError naming the resource */
  private async describe(
    connector: ConnectorRow,
    provider: Provider,
    resources: readonly ConnectorResourceInput[],
  ): Promise<ReadonlyMap<string, DiscoveredResource>> {
    const described = new Map<string, DiscoveredResource>();
    const session = await this.openSession(connector, provider);
    await askProvider(session, { name: provider.name, milliseconds: describeMsMax }, (asked, signal) =>
      forEachConcurrently(resources, describedAtOnce, async ({ resourceId }) => {
        const found = await asked.describe(resourceId, signal).catch((error: unknown) => {
          throw toCallersError(error, provider.name, `resource "${resourceId}"`);
        });
        described.set(resourceId, found);
      }),
    );
    return described;
  }

  private async openSession(connector: ConnectorRow, { name }: Provider) {
    return this.options.providerSessions.openStored(connector.id).catch((error: unknown) => {
      throw toCallersError(error, name);
    });
  }

  /** @throws AppError FORBIDDEN when the provider is switched off, or not in this version any more */
  private providerOf(connector: ConnectorRow): Provider {
    const provider = this.options.providerSessions.find(connector.provider);
    if (provider && this.options.providerSessions.isAvailable(provider)) return provider;
    throw switchedOff(provider?.name ?? connector.provider);
  }

  /** @throws AppError DATABASE_NOT_FOUND, TENANT_INFRA_NOT_READY */
  private async findDatabases(
    caller: Caller,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, TargetDatabase>> {
    const found = new Map<string, TargetDatabase>();
    for (const name of new Set(names)) found.set(name, await this.options.databases.findReady(caller, name));
    return found;
  }
}

/**
 * Keeps databases from being deleted until the transaction ends. To be called before the connector is locked, as a deletion
 * comes to its connectors last. @throws AppError DATABASE_NOT_FOUND for one that was deleted while the provider was asked
 */
async function holdDatabases(
  manager: EntityManager,
  databases: ReadonlyMap<string, TargetDatabase>,
): Promise<void> {
  for (const [name, { id }] of databases) await holdDatabase(manager, { id, name });
}

/** Names of the databases that resources go to in place of that of their connector. */
async function findOverrides(
  manager: EntityManager,
  connectorId: string,
  resources: readonly ConnectorResourceInput[],
): Promise<string[]> {
  const configured = await findConfigured(manager, connectorId, resources);
  return resources.flatMap((each) => ownDatabase(each, configured.get(each.resourceId)) ?? []);
}

async function findConfigured(
  manager: EntityManager,
  connectorId: string,
  resources: readonly ConnectorResourceInput[],
): Promise<ReadonlyMap<string, ResourceRow>> {
  const ids = resources.map(({ resourceId }) => resourceId);
  const rows = await findResources(manager, connectorId, ids);
  return new Map(rows.map((row) => [row.resourceId, row]));
}

/** Checks resources against the current configuration. */
async function readAll(
  manager: EntityManager,
  { resources, pathOf }: Configuration,
  { connectorId, ...context }: Omit<ResourcesContext, 'configured'> & { connectorId: string },
): Promise<ReadResource[]> {
  const configured = await findConfigured(manager, connectorId, resources);
  return resources.map((resource, index) =>
    readResource(resource, (field) => pathOf(index, field), { ...context, configured }),
  );
}

async function findResource(
  manager: EntityManager,
  { id, resourceId }: { id: string; resourceId: string },
): Promise<ResourceRow> {
  const [row] = await findResources(manager, id, [resourceId]);
  if (!row) throw resourceNotFound(resourceId);
  return row;
}

function resourceNotFound(resourceId: string): AppError {
  return new AppError('NOT_FOUND', `resource "${resourceId.slice(0, 512)}" does not exist in this connector`);
}

/** A cursor from which the provider cannot go on is the caller's mistake. */
function refuseCursor(error: unknown): never {
  if (error instanceof ProviderError && error.kind === 'expired')
    throw invalidInput('cursor', 'is not one that this list returned, or is too old: begin without it');
  throw error;
}
