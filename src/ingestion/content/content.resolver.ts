import { Args, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import type { Scope } from '../../accounts/api-key.entity.js';
import type { RequestContext } from '../../api/request-context.js';
import { ChunksArgs, SourceChunkList, SourceContent, SourceContentArgs } from './content.types.js';

@Resolver()
export class ContentResolver {
  @Authorized<Scope>('read')
  @Query(() => SourceContent, {
    description: 'Returns the whole text of an item, a link to its original, or the bytes of the original.',
  })
  sourceContent(
    @Ctx() { services, caller, baseUrl }: RequestContext,
    @Args(() => SourceContentArgs) args: SourceContentArgs,
  ): Promise<SourceContent> {
    return services.content.inspect(caller, args, baseUrl);
  }

  @Authorized<Scope>('read')
  @Query(() => SourceChunkList, {
    description: 'Returns chunks (pieces of text as they are indexed) of one item or by their ids.',
  })
  chunks(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => ChunksArgs) args: ChunksArgs,
  ): Promise<SourceChunkList> {
    return services.chunks.list(caller, args);
  }
}
