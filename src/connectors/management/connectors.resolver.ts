import { Arg, Args, Authorized, Ctx, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { ConnectorProvider, ConnectorProviderList } from './connector-provider.types.js';
import {
  ConnectorDeletion,
  ConnectorUpdate,
  CreateConnectorInput,
  UpdateConnectorInput,
} from './connector-changes.types.js';
import { ConnectorStatus } from './connector-status.types.js';
import { Connector, ConnectorConnection, ConnectorsArgs } from './connector.types.js';
import { ConnectorPause, ConnectorSync } from '../sync/connector-syncs.types.js';

const ofConnector = { description: 'Id of the connector.' };

@Resolver()
export class ConnectorsResolver {
  @Authorized<Scope>('read')
  @Query(() => ConnectorProviderList, {
    description: 'The applications whose accounts can be connected; with an id, the details of one.',
  })
  connectorProviders(
    @Ctx() { services }: RequestContext,
    @Arg('id', () => String, {
      nullable: true,
      description: 'Id of a provider, such as github; all are listed when absent.',
    })
    id: string | null | undefined,
  ): ConnectorProviderList {
    return services.connectorProviders.list(id ?? null);
  }

  @Authorized<Scope>('read')
  @Query(() => ConnectorProvider, {
    description: 'One provider by id, with the schemas of its credentials and filters.',
  })
  connectorProvider(
    @Ctx() { services }: RequestContext,
    @Arg('id', () => String, { description: 'Id of a provider, such as github.' }) id: string,
  ): ConnectorProvider {
    return services.connectorProviders.find(id);
  }

  @Authorized<Scope>('read')
  @Query(() => ConnectorConnection, {
    description: 'The connectors of the account, oldest first.',
  })
  async connectors(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => ConnectorsArgs) args: ConnectorsArgs,
  ): Promise<ConnectorConnection> {
    return services.connectors.list(caller, args);
  }

  @Authorized<Scope>('read')
  @Query(() => Connector, { description: 'One connector by id.' })
  connector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
  ): Promise<Connector> {
    return services.connectors.find(caller, id);
  }

  @Authorized<Scope>('read')
  @Query(() => ConnectorStatus, {
    description: 'The sync status of a connector and of each of its resources.',
  })
  connectorStatus(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
  ): Promise<ConnectorStatus> {
    return services.connectorSyncs.status(caller, id);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => Connector, {
    description:
      'Connects an account, if its provider accepts the credentials. Nothing is synced until configureConnector chooses resources.',
  })
  createConnector(
    @Ctx() { services, caller, newId }: RequestContext,
    @Arg('input', () => CreateConnectorInput) input: CreateConnectorInput,
  ): Promise<Connector> {
    return services.connectors.create(caller, input, newId);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorUpdate, {
    description: 'Changes the settings or credentials of a connector; absent fields stay as they are.',
  })
  updateConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
    @Arg('input', () => UpdateConnectorInput) input: UpdateConnectorInput,
  ): Promise<ConnectorUpdate> {
    return services.connectors.update(caller, id, input);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorDeletion, {
    description:
      'Deletes a connector and erases its credentials; the synced items stay, unless purge is true.',
  })
  deleteConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
    @Arg('purge', () => Boolean, {
      nullable: true,
      description: 'Whether the synced items are also removed, in the background; default false.',
    })
    purge: boolean | null | undefined,
  ): Promise<ConnectorDeletion> {
    return services.connectors.delete(caller, id, purge ?? false);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorPause, {
    description: 'Pauses a connector: nothing is synced until it is resumed.',
  })
  pauseConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
  ): Promise<ConnectorPause> {
    return services.connectorSyncs.pause(caller, id);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorPause, {
    description:
      'Resumes a paused connector: it syncs at once, and each resource continues where it stopped.',
  })
  resumeConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
  ): Promise<ConnectorPause> {
    return services.connectorSyncs.resume(caller, id);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorSync, { description: 'Begins a sync of all active resources now.' })
  syncConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
  ): Promise<ConnectorSync> {
    return services.connectorSyncs.sync(caller, id);
  }

  @Authorized<Scope>('read')
  @Subscription(() => ConnectorStatus, {
    description:
      'Sends the status of a connector at once, and again whenever its lifecycle, sync status, progress, error or the status of a resource changes; checked every second.',
    subscribe: async ({ args, context }: { args: unknown; context: unknown }) => {
      const { services, caller } = context as RequestContext;
      return services.connectorSyncs.watch(caller, (args as { id: string }).id);
    },
  })
  connectorProgress(
    @Root() status: ConnectorStatus,
    @Arg('id', () => ID, ofConnector) _id: string,
  ): ConnectorStatus {
    return status;
  }
}
