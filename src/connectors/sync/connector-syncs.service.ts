import type { DataSource } from 'typeorm';
import type { Caller } from '../../accounts/caller.js';
import { AppError } from '../../errors.js';
import type { Wake } from '../../jobs/define-job.js';
import type { Clock } from '../../lib/clock.js';
import { timeText, toStatus } from '../management/connector-answer.js';
import { messageOf } from '../management/connector-health.js';
import { switchedOff } from '../management/connector-request.js';
import { lifecycleOf } from '../management/connector-rows.js';
import type { ConnectorRow } from '../management/connector-rows.js';
import type { ConnectorStatus } from '../management/connector-status.types.js';
import type { ConnectorPause, ConnectorSync } from './connector-syncs.types.js';
import { findConnector, markPaused, markResumed } from '../management/connectors.queries.js';
import type { ProviderSessions } from '../provider-sessions.js';
import { findResources } from '../resources/resource-store.queries.js';
import { beginRun, endOfDay } from './begin-run.js';
import { watchStatus } from './connector-progress.js';

interface ConnectorSyncsOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly providerSessions: ProviderSessions;
  /** How many syncs an account may begin in a day (UTC); undefined for any number. */
  readonly syncsPerDayMax: number | undefined;
  /** Whether a key that was valid still is. */
  readonly isValid: (caller: Caller) => Promise<boolean>;
}

/** Starts, pauses and reports the syncs of connectors. */
export class ConnectorSyncsService {
  constructor(private readonly options: ConnectorSyncsOptions) {}

  /**
   * Pauses a connector: a sync under way stops at its next step. @throws AppError NOT_FOUND, CONNECTOR_STATE
   */
  async pause(caller: Caller, id: string): Promise<ConnectorPause> {
    const now = this.options.clock.now();
    const connectorId = await this.changeLocked(caller, id, async (manager, connector) => {
      if (connector.pausedAt) throw wrongState('the connector is paused already');
      await markPaused(manager, connector.id, now);
      return connector.id;
    });
    return { connectorId, paused: true, pausedAt: timeText(now) };
  }

  /** Resumes a connector at once, where it stood. @throws AppError NOT_FOUND, CONNECTOR_STATE */
  async resume(caller: Caller, id: string): Promise<ConnectorPause> {
    const now = this.options.clock.now();
    const connectorId = await this.changeLocked(caller, id, async (manager, connector) => {
      if (!connector.pausedAt) throw wrongState('the connector is not paused');
      await markResumed(manager, connector.id, now);
      return connector.id;
    });
    this.options.wake('sync-connectors');
    return { connectorId, paused: false, pausedAt: '' };
  }

  /**
   * Begins a sync, unless one is under way. @throws AppError NOT_FOUND, FORBIDDEN, CONNECTOR_STATE,
   * SYNC_LIMIT
   */
  async sync(caller: Caller, id: string): Promise<ConnectorSync> {
    const { clock, syncsPerDayMax, wake } = this.options;
    const now = clock.now();
    const { begun, connectorId } = await this.changeLocked(caller, id, async (manager, connector) => {
      this.checkMaySync(connector);
      const { id: connectorId, accountId } = connector;
      return {
        connectorId,
        begun: await beginRun(manager, { connectorId, accountId, now, syncsPerDayMax }),
      };
    });
    if ('refused' in begun && begun.refused === 'limit') throw syncLimit(syncsPerDayMax ?? 0, now);
    wake('sync-connectors');
    return { workflowId: `connector-sync-${connectorId}`, runId: 'runId' in begun ? begun.runId : '' };
  }

  /** @throws AppError NOT_FOUND */
  async status(caller: Caller, id: string): Promise<ConnectorStatus> {
    const { manager } = this.options.postgres;
    const connector = await findConnector(manager, caller, { id });
    return toStatus(connector, await findResources(manager, id));
  }

  /**
   * Yields the status now and whenever it changes, until the connector is gone or the key is not valid any
   * more. @throws AppError NOT_FOUND
   */
  async watch(caller: Caller, id: string): Promise<AsyncIterableIterator<ConnectorStatus>> {
    const read = () => this.status(caller, id);
    return watchStatus(await read(), { read, isAllowed: () => this.options.isValid(caller) });
  }

  private checkMaySync(connector: ConnectorRow): void {
    const { providerSessions } = this.options;
    const provider = providerSessions.find(connector.provider);
    if (!provider || !providerSessions.isAvailable(provider))
      throw switchedOff(provider?.name ?? connector.provider);
    switch (lifecycleOf(connector)) {
      case 'paused':
        throw wrongState('the connector is paused; resume it first');
      case 'reconnect':
        throw wrongState(`the connector has to be reconnected. ${messageOf(connector)}`);
      case 'pending_setup':
        throw wrongState('the connector has no active resources; configure some first');
      default:
    }
  }

  private async changeLocked<Result>(
    caller: Caller,
    id: string,
    change: (manager: DataSource['manager'], connector: ConnectorRow) => Promise<Result>,
  ): Promise<Result> {
    return this.options.postgres.transaction(async (manager) =>
      change(manager, await findConnector(manager, caller, { id, lock: true })),
    );
  }
}

function wrongState(message: string): AppError {
  return new AppError('CONNECTOR_STATE', message);
}

function syncLimit(syncsPerDayMax: number, now: Date): AppError {
  const retryAfterSeconds = Math.ceil((endOfDay(now).getTime() - now.getTime()) / 1000);
  const problem = `the plan of this account allows no further sync today (at most ${syncsPerDayMax} a day)`;
  return new AppError('SYNC_LIMIT', `${problem}; wait ${retryAfterSeconds} s`, {
    limit: syncsPerDayMax,
    retryAfterSeconds,
  });
}
