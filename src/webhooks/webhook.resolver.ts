import { Arg, Args, Authorized, Ctx, Extensions, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import {
  DeleteWebhookPayload,
  DisableSigningPayload,
  RegisterWebhookInput,
  RegisterWebhookPayload,
  RetryDeliveryPayload,
  SetSigningSecretPayload,
  TestWebhookPayload,
  Webhook,
  WebhookDeliveriesArgs,
  WebhookDelivery,
  WebhookDeliveryConnection,
  deliveryPageSizes,
} from './webhook.types.js';

@Resolver()
export class WebhookResolver {
  @Authorized<Scope>('admin')
  @Query(() => Webhook, { description: 'Where events of the account go.' })
  webhook(@Ctx() { services, caller }: RequestContext): Promise<Webhook> {
    return services.webhooks.find(caller);
  }

  @Extensions({ pageSizes: deliveryPageSizes })
  @Authorized<Scope>('admin')
  @Query(() => WebhookDeliveryConnection, { description: 'What was and is being delivered, newest first.' })
  webhookDeliveries(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => WebhookDeliveriesArgs) args: WebhookDeliveriesArgs,
  ): Promise<WebhookDeliveryConnection> {
    return services.deliveries.list(caller, args);
  }

  @Authorized<Scope>('admin')
  @Query(() => WebhookDelivery, { description: 'One of them, with its attempts.' })
  webhookDelivery(
    @Ctx() { services, caller }: RequestContext,
    @Arg('deliveryId', () => ID) deliveryId: string,
  ): Promise<WebhookDelivery> {
    return services.deliveries.find(caller, deliveryId);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => RegisterWebhookPayload, { description: 'Says where events of the account go from now on.' })
  registerWebhook(
    @Ctx() { services, caller }: RequestContext,
    @Arg('input', () => RegisterWebhookInput) input: RegisterWebhookInput,
  ): Promise<RegisterWebhookPayload> {
    return services.webhooks.register(caller, input);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => DeleteWebhookPayload, { description: 'Events go nowhere from now on.' })
  deleteWebhook(@Ctx() { services, caller }: RequestContext): Promise<DeleteWebhookPayload> {
    return services.webhooks.delete(caller);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => TestWebhookPayload, {
    description: 'Sends an event that is marked as a test, now and once; it is not listed.',
  })
  testWebhook(@Ctx() { services, caller }: RequestContext): Promise<TestWebhookPayload> {
    return services.webhooks.test(caller);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => SetSigningSecretPayload, {
    description: 'Signs with a new secret from now on; the one before signs beside it for 24 hours.',
  })
  setSigningSecret(
    @Ctx() { services, caller }: RequestContext,
    @Arg('signingSecret', () => String, {
      nullable: true,
      description: '16 to 1024 characters; absent: one is made.',
    })
    signingSecret: string | null | undefined,
  ): Promise<SetSigningSecretPayload> {
    return services.webhooks.setSigningSecret(caller, signingSecret);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => DisableSigningPayload, { description: 'Deliveries are no longer signed.' })
  disableSigning(@Ctx() { services, caller }: RequestContext): Promise<DisableSigningPayload> {
    return services.webhooks.disableSigning(caller);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => RetryDeliveryPayload, { description: 'Delivers again what has failed.' })
  retryDelivery(
    @Ctx() { services, caller }: RequestContext,
    @Arg('deliveryId', () => ID) deliveryId: string,
  ): Promise<RetryDeliveryPayload> {
    return services.deliveries.retry(caller, deliveryId);
  }
}
