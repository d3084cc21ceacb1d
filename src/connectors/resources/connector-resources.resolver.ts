import { Arg, Authorized, Ctx, Extensions, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { LIMITS } from '../../limits.js';
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

const ofConnector = { description: 'Id of the connector.' };
const ofResource = { description: 'Id of the resource at the provider.' };

@Resolver()
export class ConnectorResourcesResolver {
  @Extensions({ pageSizes: { default: LIMITS.discoveredDefault, max: LIMITS.discoveredMax } })
  @Authorized<Scope>('admin')
  @Query(() => ConnectorDiscovery, {
    description: 'A page of the resources that the provider offers to sync; it is asked at each call.',
  })
  discoverConnectorResources(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
    @Arg('cursor', () => String, {
      nullable: true,
      description: 'The nextCursor of the page before; absent for the first page.',
    })
    cursor: string | null | undefined,
    @Arg('limit', () => Int, {
      nullable: true,
      description: 'How many resources a page has: 1 to 100, default 50.',
    })
    limit: number | null | undefined,
  ): Promise<ConnectorDiscovery> {
    return services.connectorResources.discover(caller, id, { cursor, limit });
  }

  @Authorized<Scope>('read')
  @Query(() => ConnectorResourceList, {
    description: 'The configured resources of a connector, in the order in which they were configured.',
  })
  connectorResources(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
  ): Promise<ConnectorResourceList> {
    return services.connectorResources.list(caller, id);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorConfiguration, {
    description:
      'Chooses the resources to sync and begins a sync. The provider is asked about each, and all are saved or none. A resource ' +
      'that is configured already continues where it stopped; with a longer lookback it is read again from the start.',
  })
  configureConnector(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
    @Arg('input', () => ConfigureConnectorInput) input: ConfigureConnectorInput,
  ): Promise<ConnectorConfiguration> {
    return services.connectorResources.configure(caller, id, input);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorResource, {
    description: 'Adds one resource, or configures it again, as configureConnector does, and begins a sync.',
  })
  addConnectorResource(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
    @Arg('resource', () => ConnectorResourceInput) resource: ConnectorResourceInput,
    @Arg('lookbackDays', () => Int, {
      nullable: true,
      description:
        'How many days back the resource is read, if its filters do not say: 1 to 3650, default as before or, for a new resource, 30.',
    })
    lookbackDays: number | null | undefined,
  ): Promise<ConnectorResource> {
    return services.connectorResources.add(caller, id, { resource, lookbackDays });
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorResourceUpdate, {
    description:
      'Changes the settings of one resource, such as its filters and who may read its items; absent fields stay as they are.',
  })
  updateConnectorResource(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
    @Arg('resourceId', () => String, ofResource) resourceId: string,
    @Arg('input', () => UpdateConnectorResourceInput) input: UpdateConnectorResourceInput,
  ): Promise<ConnectorResourceUpdate> {
    return services.connectorResources.update(caller, { id, resourceId }, input);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => ConnectorResourceRemoval, {
    description: 'Stops syncing a resource; its synced items stay.',
  })
  removeConnectorResource(
    @Ctx() { services, caller }: RequestContext,
    @Arg('id', () => ID, ofConnector) id: string,
    @Arg('resourceId', () => String, ofResource) resourceId: string,
  ): Promise<ConnectorResourceRemoval> {
    return services.connectorResources.remove(caller, id, resourceId);
  }
}
