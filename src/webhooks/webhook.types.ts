import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { PageArgs, connectionOf } from '../lib/page.types.js';
import type { PageSizes } from '../lib/page.types.js';
import { LIMITS } from '../limits.js';
import { IndexingStatus } from '../sources/indexing-status.js';

/** Deliveries in a page. */
export const deliveryPageSizes: PageSizes = {
  default: LIMITS.deliveriesDefault,
  max: LIMITS.deliveriesMax,
};

export enum WebhookDeliveryStatus {
  pending = 'pending',
  completed = 'completed',
  failed = 'failed',
  permanently_failed = 'permanently_failed',
}
registerEnumType(WebhookDeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'completed: a 2xx came; failed: it will be tried again; permanently_failed: it will not.',
});

export enum WebhookDeliveryFilter {
  pending = 'pending',
  completed = 'completed',
  delivered = 'delivered',
  failed = 'failed',
  permanently_failed = 'permanently_failed',
}
registerEnumType(WebhookDeliveryFilter, {
  name: 'WebhookDeliveryFilter',
  description: 'A status of deliveries; delivered is another name of completed.',
});

@InputType({ description: 'Where events of the account go. It replaces the registration before.' })
export class RegisterWebhookInput {
  @Field(() => String, { description: 'An https URL of the public Internet, at most 4096 characters.' })
  url: string;

  @Field(() => [String], {
    nullable: true,
    description: 'Default ["indexing.status_changed"], which is the only one there is.',
  })
  eventTypes?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'The indexing statuses of which to tell: queued, processing, graph_creation, completed, errored. Default: all.',
  })
  statuses?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'A secret that the receiver knows, 16 to 1024 characters. Absent: the one before stays.',
  })
  signingSecret?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Make a secret and return it, this once; not together with a secret.',
  })
  generateSigningSecret?: boolean | null;
}

@ObjectType({ description: 'Where events of the account go.' })
export class Webhook {
  @Field(() => Boolean)
  registered: boolean;

  @Field(() => String, { nullable: true })
  url: string | null;

  @Field(() => [String])
  eventTypes: string[];

  @Field(() => [IndexingStatus], {
    nullable: true,
    description: 'The indexing statuses of which it is told; null: of all.',
  })
  statuses: IndexingStatus[] | null;

  @Field(() => Boolean)
  signingSecretConfigured: boolean;
}

@ObjectType()
export class RegisterWebhookPayload extends Webhook {
  @Field(() => String, {
    nullable: true,
    description: 'Only when it was generated; it cannot be read again.',
  })
  signingSecret: string | null;

  @Field(() => String)
  message: string;
}

@ObjectType()
export class DisableSigningPayload extends Webhook {
  @Field(() => String)
  message: string;
}

@ObjectType()
export class SetSigningSecretPayload {
  @Field(() => Boolean, { description: 'Whether the server made it.' })
  generated: boolean;

  @Field(() => String, { description: 'It cannot be read again.' })
  signingSecret: string;

  @Field(() => String)
  message: string;
}

@ObjectType()
export class DeleteWebhookPayload {
  @Field(() => Boolean)
  deleted: boolean;

  @Field(() => String)
  message: string;
}

@ObjectType()
export class TestWebhookPayload {
  @Field(() => Boolean, { description: 'Whether a 2xx came.' })
  delivered: boolean;

  @Field(() => Int, { nullable: true, description: 'What the receiver answered; null when it did not.' })
  statusCode: number | null;

  @Field(() => String)
  message: string;
}

@ObjectType()
export class RetryDeliveryPayload {
  @Field(() => ID)
  deliveryId: string;

  @Field(() => Boolean)
  queued: boolean;

  @Field(() => String)
  message: string;
}

@ObjectType({ description: 'One attempt to deliver an event.' })
export class WebhookAttempt {
  @Field(() => Int)
  attempt: number;

  @Field(() => Date, { description: 'When it ended.' })
  at: Date;

  @Field(() => Int)
  durationMs: number;

  @Field(() => Int, { nullable: true, description: 'Null when the receiver did not answer.' })
  responseStatus: number | null;

  @Field(() => String, { description: 'Empty when it succeeded.' })
  errorCode: string;

  @Field(() => String)
  errorMessage: string;
}

@ObjectType({ description: 'An event on its way to the receiver. Deliveries are kept for 30 days.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'The same value as in the headers of its requests.' })
  deliveryId: string;

  @Field(() => String, { description: 'The item that the event is about.' })
  docId: string;

  @Field(() => String)
  eventType: string;

  @Field(() => IndexingStatus)
  indexingStatus: IndexingStatus;

  @Field(() => Int, { description: 'Counts the changes of one ingestion of the item; queued is 1.' })
  sequence: number;

  @Field(() => WebhookDeliveryStatus)
  status: WebhookDeliveryStatus;

  @Field(() => Int, { description: 'How often it was tried.' })
  attempts: number;

  @Field(() => String, { description: 'Why the last attempt failed; empty when none did, or one succeeded.' })
  errorCode: string;

  @Field(() => String)
  errorMessage: string;

  @Field(() => Date)
  createdAt: Date;

  @Field(() => Date)
  updatedAt: Date;

  @Field(() => [WebhookAttempt], { description: 'The attempts that were made, at most the last 20.' })
  attemptLog: WebhookAttempt[];
}

@ObjectType()
export class WebhookDeliveryConnection extends connectionOf(WebhookDelivery) {
  @Field(() => Int, { description: 'Of the nodes returned.' })
  count: number;

  @Field(() => String, {
    nullable: true,
    description: 'Send it as `after` for the next nodes; null at the end.',
  })
  nextCursor: string | null;
}

@ArgsType()
export class WebhookDeliveriesArgs extends PageArgs {
  @Field(() => Int, { nullable: true, description: '1 to 100, default 50.' })
  declare first?: number | null;

  @Field(() => Int, { nullable: true, description: '1 to 100, default 50.' })
  declare pageSize?: number | null;

  @Field(() => WebhookDeliveryFilter, { nullable: true })
  status?: WebhookDeliveryFilter | null;
}
