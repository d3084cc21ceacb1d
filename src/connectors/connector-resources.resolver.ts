import { Arg, Authorized, Ctx, Extensions, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import { LIMITS } from '../limits.js';
import {
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

@Resolver()
export class ConnectorResourcesResolver {
  @Extensions({ pageSizes: { default: LIMITS.discoveredDefault, max: LIMITS.discoveredMax } })
  @Authorized<Scope>('admin')
  @Query(() => ConnectorDiscovery, { description: 'What there is to sync, asked of the provider.' })
  discoverConnectorResources(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('cursor', () => String, { nullable: true }) cursor: string | null | undefined,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 50.' })
    limit: number | null | undefined,
  ): Promise<ConnectorDiscovery> {
    return services.connectorResources.discover(caller, id, { cursor, limit });
  }

  @Authorized<Scope>('read')
  @Query(() => ConnectorResourceList, { description: 'What is synced, in the order of its configuration.' })
  connectorResources(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
  ): Promise<ConnectorResourceList> {
    return services.connectorResources.list(caller, id);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorConfiguration, {
    description:
      'Chooses what is synced and begins a sync. All resources are saved or none: the provider is asked for each. One that is ' +
      'there keeps its place; with a longer lookback it is read anew.',
  })
  configureConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => ConfigureConnectorInput) input: ConfigureConnectorInput,
  ): Promise<ConnectorConfiguration> {
    return services.connectorResources.configure(caller, id, input);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorResource, { description: 'The same for one resource.' })
  addConnectorResource(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('resource', () => ConnectorResourceInput) resource: ConnectorResourceInput,
    @Arg('lookbackDays', () => Int, { nullable: true, description: '1 to 3650, default 30.' })
    lookbackDays: number | null | undefined,
  ): Promise<ConnectorResource> {
    return services.connectorResources.add(caller, id, { resource, lookbackDays });
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorResourceUpdate, {
    description: 'Changes what is synced of one resource and who may read it; what is absent stays.',
  })
  updateConnectorResource(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('resourceId', () => String) resourceId: string,
    @Arg('input', () => UpdateConnectorResourceInput) input: UpdateConnectorResourceInput,
  ): Promise<ConnectorResourceUpdate> {
    return services.connectorResources.update(caller, { id, resourceId }, input);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorResourceRemoval, { description: 'It is synced no more; what was synced stays.' })
  removeConnectorResource(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID) id: string,
    @Arg('resourceId', () => String) resourceId: string,
  ): Promise<ConnectorResourceRemoval> {
    return services.connectorResources.remove(caller, id, resourceId);
  }
}
