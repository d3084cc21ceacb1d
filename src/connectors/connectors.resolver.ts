import { Arg, Args, Authorized, Ctx, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import { ConnectorProvider, ConnectorProviderList } from './connector-provider.types.js';
import {
  Connector,
  ConnectorConnection,
  ConnectorDeletion,
  ConnectorPause,
  ConnectorStatus,
  ConnectorSync,
  ConnectorUpdate,
  ConnectorsArgs,
  CreateConnectorInput,
  UpdateConnectorInput,
} from './connector.types.js';

@Resolver()
export class ConnectorsResolver {
  @Authorized<Scope>('read')
  @Query(() => ConnectorProviderList, { description: 'Applications whose accounts can be connected.' })
  connectorProviders(
    @Ctx() { services }: RequestContext,
    @Arg('id', () => String, { nullable: true }) id: string | null | undefined,
  ): ConnectorProviderList {
    return services.connectorProviders.list(id ?? null);
  }

  @Authorized<Scope>('read')
  @Query(() => ConnectorProvider, { description: 'One of them, with the schema of its credentials.' })
  connectorProvider(
    @Ctx() { services }: RequestContext,
    @Arg('id', () => String) id: string,
  ): ConnectorProvider {
    return services.connectorProviders.find(id);
  }

  @Authorized<Scope>('read')
  @Query(() => ConnectorConnection, {
    description: 'Connectors of the account, in the order of their creation.',
  })
  async connectors(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => ConnectorsArgs) args: ConnectorsArgs,
  ): Promise<ConnectorConnection> {
    return services.connectors.list(caller, args);
  }

  @Authorized<Scope>('read')
  @Query(() => Connector, { description: 'One of them, by id.' })
  connector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
  ): Promise<Connector> {
    return services.connectors.find(caller, id);
  }

  @Authorized<Scope>('read')
  @Query(() => ConnectorStatus, { description: 'Where a connector and each of its resources stand.' })
  connectorStatus(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
  ): Promise<ConnectorStatus> {
    return services.connectorSyncs.status(caller, id);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => Connector, {
    description: 'Connects an account, once its provider has accepted the credentials. Configure it to sync.',
  })
  createConnector(
    @Ctx() { services, caller, newId }: RequestContext,
    @Arg('input', () => CreateConnectorInput) input: CreateConnectorInput,
  ): Promise<Connector> {
    return services.connectors.create(caller, input, newId);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorUpdate, { description: 'Changes settings or credentials; what is absent stays.' })
  updateConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateConnectorInput) input: UpdateConnectorInput,
  ): Promise<ConnectorUpdate> {
    return services.connectors.update(caller, id, input);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorDeletion, {
    description: 'Erases the credentials; what was synced stays, unless it is to be purged.',
  })
  deleteConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('purge', () => Boolean, { nullable: true, description: 'Default false.' })
    purge: boolean | null | undefined,
  ): Promise<ConnectorDeletion> {
    return services.connectors.delete(caller, id, purge ?? false);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorPause, { description: 'Nothing is synced until it is resumed.' })
  pauseConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
  ): Promise<ConnectorPause> {
    return services.connectorSyncs.pause(caller, id);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorPause, { description: 'Each resource goes on where it stood, at once.' })
  resumeConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
  ): Promise<ConnectorPause> {
    return services.connectorSyncs.resume(caller, id);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorSync, { description: 'Begins a sync of every active resource now.' })
  syncConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
  ): Promise<ConnectorSync> {
    return services.connectorSyncs.sync(caller, id);
  }

  @Authorized<Scope>('read')
  @Subscription(() => ConnectorStatus, {
    description:
      'Where a connector stands, at once and whenever lifecycle, sync status, progress or errors have changed.',
    subscribe: async ({ args, context }: { args: unknown; context: unknown }) => {
      const { services, caller } = context as RequestContext;
      return services.connectorSyncs.watch(caller, (args as { id: string }).id);
    },
  })
  connectorProgress(@Root() status: ConnectorStatus, @Arg('id', () => ID) _id: string): ConnectorStatus {
    return status;
  }
}
