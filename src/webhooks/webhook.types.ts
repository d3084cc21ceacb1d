import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionOf, pageArgsOf } from '../lib/page.types.js';
import type { PageSizes } from '../lib/page.types.js';
import { LIMITS } from '../limits.js';
import { IndexingStatus } from '../sources/status/indexing-status.js';

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
  description: 'What has become of a delivery.',
  valuesConfig: {
    pending: { description: 'It waits to be sent.' },
    completed: { description: 'The receiver answered with a 2xx status.' },
    failed: { description: 'The last attempt failed; it will be tried again.' },
    permanently_failed: { description: 'It will not be tried again.' },
  },
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
  description: 'The status of the deliveries to list.',
  valuesConfig: {
    pending: { description: 'Those that wait to be sent.' },
    completed: { description: 'Those that the receiver answered with a 2xx status.' },
    delivered: { description: 'Another name for completed.' },
    failed: { description: 'Those that will be tried again.' },
    permanently_failed: { description: 'Those that will not be tried again.' },
  },
});

@InputType({ description: 'The webhook of the account; it replaces an earlier registration.' })
export class RegisterWebhookInput {
  @Field(() => String, {
    description:
      'The address that receives the events: an https URL on the public Internet, at most 4096 characters.',
  })
  url: string;

  @Field(() => [String], {
    nullable: true,
    description: 'The events to send; default ["indexing.status_changed"], the only kind of event.',
  })
  eventTypes?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'The indexing statuses to send events for: queued, processing, graph_creation, completed, errored. Default: all.',
  })
  statuses?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The secret to sign deliveries with, 16 to 1024 characters; absent: an earlier one stays in use.',
  })
  signingSecret?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the server generates a secret and returns it this one time; cannot be combined with signingSecret.',
  })
  generateSigningSecret?: boolean | null;
}

@ObjectType({ description: 'The webhook of the account, which receives its events.' })
export class Webhook {
  @Field(() => Boolean, { description: 'Whether the account has a webhook.' })
  registered: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The address that receives the events; null without a webhook.',
  })
  url: string | null;

  @Field(() => [String], { description: 'The kinds of events that are sent; empty without a webhook.' })
  eventTypes: readonly string[];

  @Field(() => [IndexingStatus], {
    nullable: true,
    description: 'The indexing statuses that events are sent for; null: all, or no webhook is registered.',
  })
  statuses: readonly IndexingStatus[] | null;

  @Field(() => Boolean, { description: 'Whether deliveries are signed.' })
  signingSecretConfigured: boolean;
}

@ObjectType({ description: 'The webhook as it has been registered.' })
export class RegisterWebhookPayload extends Webhook {
  @Field(() => String, {
    nullable: true,
    description: 'The generated secret, which cannot be read again; null unless the server generated it.',
  })
  signingSecret: string | null;

  @Field(() => String, { description: 'Where events go now, for people to read.' })
  message: string;
}

@ObjectType({ description: 'The webhook, whose deliveries are no longer signed.' })
export class DisableSigningPayload extends Webhook {
  @Field(() => String, { description: 'A confirmation, for people to read.' })
  message: string;
}

@ObjectType({ description: 'A new signing secret, which is in use at once.' })
export class SetSigningSecretPayload {
  @Field(() => Boolean, { description: 'Whether the server generated the secret.' })
  generated: boolean;

  @Field(() => String, { description: 'The new secret; it cannot be read again.' })
  signingSecret: string;

  @Field(() => String, { description: 'Since when the secret is in force, for people to read.' })
  message: string;
}

@ObjectType({ description: 'A webhook that has been deleted.' })
export class DeleteWebhookPayload {
  @Field(() => Boolean, { description: 'Always true.' })
  deleted: boolean;

  @Field(() => String, { description: 'A confirmation, for people to read.' })
  message: string;
}

@ObjectType({ description: 'What became of a test event, which was sent at once and stands in no log.' })
export class TestWebhookPayload {
  @Field(() => Boolean, { description: 'Whether the receiver answered with a 2xx status.' })
  delivered: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'The HTTP status that the receiver answered; null when it did not answer.',
  })
  statusCode: number | null;

  @Field(() => String, { description: 'How the receiver answered, or why it did not, for people to read.' })
  message: string;
}

@ObjectType({ description: 'A delivery that is sent again.' })
export class RetryDeliveryPayload {
  @Field(() => ID, { description: 'Id of the delivery; it stays the same.' })
  deliveryId: string;

  @Field(() => Boolean, { description: 'Always true.' })
  queued: boolean;

  @Field(() => String, { description: 'What happens next, for people to read.' })
  message: string;
}

@ObjectType({ description: 'One attempt to deliver an event.' })
export class WebhookAttempt {
  @Field(() => Int, { description: 'The number of the attempt, counted from 1.' })
  attempt: number;

  @Field(() => Date, { description: 'When the attempt ended.' })
  at: Date;

  @Field(() => Int, { description: 'How long the receiver took, in milliseconds.' })
  durationMs: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The HTTP status that the receiver answered; null when it did not answer.',
  })
  responseStatus: number | null;

  @Field(() => String, { description: 'Why the attempt failed; empty when it succeeded.' })
  errorCode: string;

  @Field(() => String, { description: 'The same for people to read; empty when it succeeded.' })
  errorMessage: string;
}

@ObjectType({ description: 'The delivery of one event to the receiver. Deliveries are kept for 30 days.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'The id of the delivery, which its requests also carry in a header.' })
  deliveryId: string;

  @Field(() => String, { description: 'The id of the item that the event is about.' })
  docId: string;

  @Field(() => String, { description: 'The kind of the event: indexing.status_changed.' })
  eventType: string;

  @Field(() => IndexingStatus, { description: 'The indexing status that the event tells of.' })
  indexingStatus: IndexingStatus;

  @Field(() => Int, {
    description: 'The number of the status change within one ingestion of the item; queued is 1.',
  })
  sequence: number;

  @Field(() => WebhookDeliveryStatus, { description: 'What has become of the delivery.' })
  status: WebhookDeliveryStatus;

  @Field(() => Int, { description: 'How many attempts were made.' })
  attempts: number;

  @Field(() => String, {
    description:
      'Why the last attempt failed, or why the delivery was given up; empty if nothing failed or the delivery succeeded.',
  })
  errorCode: string;

  @Field(() => String, { description: 'The same for people to read; empty whenever errorCode is.' })
  errorMessage: string;

  @Field(() => Date, { description: 'When the event occurred.' })
  createdAt: Date;

  @Field(() => Date, { description: 'When the delivery was last attempted or queued.' })
  updatedAt: Date;

  @Field(() => [WebhookAttempt], { description: 'The attempts that were made, at most the last 20.' })
  attemptLog: WebhookAttempt[];
}

@ObjectType({ description: 'Deliveries of the account, newest first.' })
export class WebhookDeliveryConnection extends connectionOf(WebhookDelivery) {
  @Field(() => Int, { description: 'The number of nodes returned.' })
  count: number;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor to send as `after` for the next nodes; null at the end.',
  })
  nextCursor: string | null;
}

@ArgsType()
export class WebhookDeliveriesArgs extends pageArgsOf(deliveryPageSizes) {
  @Field(() => WebhookDeliveryFilter, { nullable: true, description: 'Only deliveries with this status.' })
  status?: WebhookDeliveryFilter | null;
}
