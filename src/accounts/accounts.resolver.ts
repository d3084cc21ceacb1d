import { Arg, Args, Authorized, Ctx, Extensions, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../api/request-context.js';
import { PageArgs } from '../lib/page.types.js';
import { ApiKey } from './api-key.entity.js';
import type { Scope } from './api-key.entity.js';
import { ApiKeyConnection, CreateApiKeyInput, CreateApiKeyPayload, Viewer } from './api-key.types.js';

@Resolver()
export class AccountsResolver {
  @Authorized<Scope>('read')
  @Query(() => Viewer, { description: 'Who asks: the account and the key of this request.' })
  async viewer(@Ctx() { services, caller }: RequestContext): Promise<Viewer> {
    return { orgId: caller.accountId, ...(await services.apiKeys.viewer(caller)) };
  }

  @Authorized<Scope>('admin')
  @Query(() => ApiKeyConnection, {
    description: 'The API keys of the account, newest first, revoked ones too.',
  })
  async apiKeys(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<ApiKeyConnection> {
    return Object.assign(new ApiKeyConnection(), await services.apiKeys.list(caller, page));
  }

  @Authorized<Scope>('admin')
  @Mutation(() => CreateApiKeyPayload, {
    description: 'Makes an API key of the account. It may not do more than the key that makes it.',
  })
  createApiKey(
    @Ctx() { services, caller }: RequestContext,
    @Arg('input', () => CreateApiKeyInput) input: CreateApiKeyInput,
  ): Promise<CreateApiKeyPayload> {
    return services.apiKeys.create(caller, input);
  }

  // A key that has leaked must be revocable, whatever the plan.
  @Extensions({ onWithdrawnPlan: true })
  @Authorized<Scope>('admin')
  @Mutation(() => ApiKey, { description: 'Ends an API key at once.' })
  revokeApiKey(
    @Ctx() { services, caller }: RequestContext,
    @Arg('prefix', () => String, { description: 'Its public half.' }) prefix: string,
  ): Promise<ApiKey> {
    return services.apiKeys.revoke(caller, prefix);
  }
}
