import { Arg, Args, Authorized, Ctx, Extensions, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../api/request-context.js';
import { PageArgs } from '../lib/page.types.js';
import { ApiKey } from './api-key.entity.js';
import type { Scope } from './api-key.entity.js';
import { ApiKeyConnection, CreateApiKeyInput, CreateApiKeyPayload, Viewer } from './api-key.types.js';

@Resolver()
export class AccountsResolver {
  @Authorized<Scope>('read')
  @Query(() => Viewer, { description: 'The account and the API key that this request comes from.' })
  async viewer(@Ctx() { services, caller }: RequestContext): Promise<Viewer> {
    return { orgId: caller.accountId, ...(await services.apiKeys.viewer(caller)) };
  }

  @Authorized<Scope>('admin')
  @Query(() => ApiKeyConnection, {
    description: 'The API keys of the account that the caller may see, newest first, including revoked ones.',
  })
  async apiKeys(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<ApiKeyConnection> {
    return Object.assign(new ApiKeyConnection(), await services.apiKeys.list(caller, page));
  }

  @Authorized<Scope>('admin')
  @Mutation(() => CreateApiKeyPayload, {
    description:
      'Creates an API key for the account. It cannot reach more databases or principals, or last longer, than the key that creates it.',
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
  @Mutation(() => ApiKey, { description: 'Revokes an API key at once; revoking it again is no error.' })
  revokeApiKey(
    @Ctx() { services, caller }: RequestContext,
    @Arg('prefix', () => String, { description: 'The public part of the key, before the dot.' })
    prefix: string,
  ): Promise<ApiKey> {
    return services.apiKeys.revoke(caller, prefix);
  }
}
