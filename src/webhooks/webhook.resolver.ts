import { Arg, Args, Authorized, Ctx, Extensions, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Scope } from '../accounts/api-key.entity.js';
import type { RequestContext } from '../api/request-context.js';
import type { LazilyCounted } from './deliveries.service.js';
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

const ofDelivery = { description: 'Id of the delivery.' };

@Resolver()
export class WebhookResolver {
  @Authorized<Scope>('admin')
  @Query(() => Webhook, {
    description: 'The webhook of the account; without one, an object with registered: false.',
  })
  webhook(@Ctx() { services, caller }: RequestContext): Promise<Webhook> {
    return services.webhooks.find(caller);
  }

  @Extensions({ pageSizes: deliveryPageSizes })
  @Authorized<Scope>('admin')
  @Query(() => WebhookDeliveryConnection, {
    description: 'The log of webhook deliveries, pending, delivered and failed, newest first.',
  })
  webhookDeliveries(
    @Ctx() { services, caller }: RequestContext,
    @Args(() => WebhookDeliveriesArgs) args: WebhookDeliveriesArgs,
  ): Promise<LazilyCounted> {
    return services.deliveries.list(caller, args);
  }

  @Authorized<Scope>('admin')
  @Query(() => WebhookDelivery, { description: 'One webhook delivery by id, with its attempts.' })
  webhookDelivery(
    @Ctx() { services, caller }: RequestContext,
    @Arg('deliveryId', () => ID, ofDelivery) deliveryId: string,
  ): Promise<WebhookDelivery> {
    return services.deliveries.find(caller, deliveryId);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => RegisterWebhookPayload, {
    description: 'Registers the webhook of the account, or replaces its settings.',
  })
  registerWebhook(
    @Ctx() { services, caller }: RequestContext,
    @Arg('input', () => RegisterWebhookInput) input: RegisterWebhookInput,
  ): Promise<RegisterWebhookPayload> {
    return services.webhooks.register(caller, input);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => DeleteWebhookPayload, {
    description: 'Deletes the webhook of the account; events that are not delivered yet are given up.',
  })
  deleteWebhook(@Ctx() { services, caller }: RequestContext): Promise<DeleteWebhookPayload> {
    return services.webhooks.delete(caller);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => TestWebhookPayload, {
    description:
      'Sends one test event to the webhook now and waits for the answer; it is not retried and not listed in webhookDeliveries.',
  })
  testWebhook(@Ctx() { services, caller }: RequestContext): Promise<TestWebhookPayload> {
    return services.webhooks.test(caller);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => SetSigningSecretPayload, {
    description:
      'Signs deliveries with a new secret from now on; for 24 hours they are also signed with the earlier secret, if there was one.',
  })
  setSigningSecret(
    @Ctx() { services, caller }: RequestContext,
    @Arg('signingSecret', () => String, {
      nullable: true,
      description: 'The new secret, 16 to 1024 characters; absent: the server generates one.',
    })
    signingSecret: string | null | undefined,
  ): Promise<SetSigningSecretPayload> {
    return services.webhooks.setSigningSecret(caller, signingSecret);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => DisableSigningPayload, { description: 'Stops signing deliveries and forgets the secret.' })
  disableSigning(@Ctx() { services, caller }: RequestContext): Promise<DisableSigningPayload> {
    return services.webhooks.disableSigning(caller);
  }

  @Authorized<Scope>('admin')
  @Mutation(() => RetryDeliveryPayload, {
    description: 'Queues a failed delivery again, with all of its retries.',
  })
  retryDelivery(
    @Ctx() { services, caller }: RequestContext,
    @Arg('deliveryId', () => ID, ofDelivery) deliveryId: string,
  ): Promise<RetryDeliveryPayload> {
    return services.deliveries.retry(caller, deliveryId);
  }
}
