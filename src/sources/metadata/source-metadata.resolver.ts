import { Arg, Authorized, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { SourceMetadataUpdate, UpdateSourceMetadataInput } from './source-metadata.types.js';

@Resolver()
export class SourceMetadataResolver {
  @Authorized<Scope>('write')
  @Mutation(() => SourceMetadataUpdate, {
    description:
      'Changes metadata values of one item, or replaces its access list, without ingesting the item again.',
  })
  updateSourceMetadata(
    @Ctx() { services, caller }: RequestContext,
    @Arg('input', () => UpdateSourceMetadataInput) input: UpdateSourceMetadataInput,
  ): Promise<SourceMetadataUpdate> {
    return services.sourceMetadata.update(caller, input);
  }
}
