import { setTimeout } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../accounts/caller.js';
import type { Wake } from '../jobs/define-job.js';
import { unresolvedHost } from '../lib/address-guard.js';
import type { Clock } from '../lib/clock.js';
import type { HttpClient } from '../lib/http-client.js';
import type { SecretBox } from '../lib/secret-box.js';
import { hourMs } from '../lib/units.js';
import { resealColumn } from '../postgres/sealed-column.js';
import { IndexingStatus } from '../sources/status/indexing-status.js';
import type { DeliverySender } from './delivery-sender.js';
import { payloadOf } from './payload.js';
import { checkAccountWide, notRegistered, unprocessable } from './refusals.js';
import { generateSigningSecret } from './signature.js';
import { openSecrets, rotationMs, secretContext } from './signing-secrets.js';
import { allStatuses, readRegistration, readSigningSecret } from './webhook-request.js';
import type {
  DeleteWebhookPayload,
  DisableSigningPayload,
  RegisterWebhookInput,
  RegisterWebhookPayload,
  SetSigningSecretPayload,
  TestWebhookPayload,
  Webhook,
} from './webhook.types.js';
import {
  deleteSecrets,
  deleteWebhook,
  findNewestSigned,
  findWebhook,
  replaceSecret,
  upsertWebhook,
} from './webhooks.queries.js';
import type { WebhookRow } from './webhooks.queries.js';

interface WebhooksOptions {
  readonly postgres: DataSource;
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly secretBox: SecretBox;
  readonly sender: DeliverySender;
  readonly wake: Wake;
}

const lookupMsMax = 3000;

/** The one webhook of an account: where its events go, and how they are signed. */
export class WebhooksService {
  constructor(private readonly options: WebhooksOptions) {}

  /**
   * Registers the webhook, or replaces its settings; without a new secret the old one stays. @throws AppError
   * UNPROCESSABLE
   */
  async register(caller: Caller, input: RegisterWebhookInput): Promise<RegisterWebhookPayload> {
    checkAccountWide(caller);
    const { url, eventTypes, statuses, signingSecret, generate } = readRegistration(input);
    await this.checkUrl(url);
    const secret = generate ? generateSigningSecret() : signingSecret;
    const now = this.options.clock.now();
    const row = await this.options.postgres.transaction(async (manager) => {
      const { accountId } = caller;
      const stored = await upsertWebhook(manager, { accountId, url, eventTypes, statuses }, now);
      return secret === null ? stored : this.storeSecret(manager, caller, secret);
    });
    if (!row) throw new Error('a webhook was not stored');
    return {
      ...toWebhook(row),
      signingSecret: generate ? secret : null,
      message: `Events of this account go to ${new URL(url).host}, ${row.signingSecret ? 'signed' : 'unsigned'}`,
    };
  }

  /** The registration; without a webhook, an object that says so. */
  async find(caller: Caller): Promise<Webhook> {
    checkAccountWide(caller);
    const row = await findWebhook(this.options.postgres.manager, caller.accountId);
    return row ? toWebhook(row) : none;
  }

  /** Deletes the webhook; what was not delivered yet is given up. @throws AppError NOT_FOUND */
  async delete(caller: Caller): Promise<DeleteWebhookPayload> {
    checkAccountWide(caller);
    const deleted = await deleteWebhook(this.options.postgres.manager, caller.accountId);
    if (!deleted) throw notRegistered();
    this.options.wake('end-orphaned-deliveries');
    return { deleted: true, message: 'The webhook is deleted; what was not delivered yet is given up' };
  }

  /** Sends an event marked as a test, and waits for the answer. @throws AppError NOT_FOUND */
  async test(caller: Caller): Promise<TestWebhookPayload> {
    checkAccountWide(caller);
    const row = await findWebhook(this.options.postgres.manager, caller.accountId);
    if (!row) throw notRegistered();
    const { clock, secretBox, sender } = this.options;
    const now = clock.now();
    const id = uuidv7();
    const body = payloadOf({ ...testChange, id, createdAt: now }, { test: true });
    const secrets = openSecrets(secretBox, row, now);
    const { delivered, status, errorMessage, durationMs } = await sender.attempt(
      { url: row.url, secrets },
      { id, body },
    );
    return {
      delivered,
      statusCode: status,
      message: delivered ? `The receiver answered ${status} after ${durationMs} ms` : errorMessage,
    };
  }

  /**
   * Signs with this secret from now on, or with a generated one. @throws AppError NOT_FOUND, UNPROCESSABLE
   */
  async setSigningSecret(caller: Caller, given: string | null | undefined): Promise<SetSigningSecretPayload> {
    checkAccountWide(caller);
    const secret = given == null ? generateSigningSecret() : readSigningSecret(given);
    const row = await this.storeSecret(this.options.postgres.manager, caller, secret);
    if (!row) throw notRegistered();
    const hours = rotationMs / hourMs;
    const message = row.previousSecret
      ? `In force at once; webhook-signature also carries a signature by the one before for ${hours} hours`
      : 'In force at once';
    return { generated: given == null, signingSecret: secret, message };
  }

  /** Stops signing deliveries. @throws AppError NOT_FOUND */
  async disableSigning(caller: Caller): Promise<DisableSigningPayload> {
    checkAccountWide(caller);
    const { postgres, clock } = this.options;
    const row = await deleteSecrets(postgres.manager, caller.accountId, clock.now());
    if (!row) throw notRegistered();
    return { ...toWebhook(row), message: 'Deliveries are no longer signed' };
  }

  /**
   * Seals anew what older keys have sealed, and checks that this process can open what others have. @throws
   * UnopenableSecretError
   */
  async checkSecrets(): Promise<void> {
    const { postgres, secretBox, clock } = this.options;
    const secrets = { table: 'webhooks', id: 'account_id', contextOf: secretContext };
    for (const column of ['signing_secret', 'previous_secret'])
      await resealColumn(postgres.manager, secretBox, { ...secrets, column });
    const row = await findNewestSigned(postgres.manager);
    if (row) openSecrets(secretBox, row, clock.now());
  }

  // Keeps the previous secret for a while, so that receivers that know only that one can still verify.
  private storeSecret(
    manager: EntityManager,
    { accountId }: Caller,
    secret: string,
  ): Promise<WebhookRow | undefined> {
    const { clock, secretBox } = this.options;
    const now = clock.now();
    return replaceSecret(manager, accountId, {
      secret: secretBox.seal(secret, secretContext(accountId)),
      previousUntil: new Date(now.getTime() + rotationMs),
      now,
    });
  }

  /** A host that cannot be resolved now may be later; every connection checks its address again. */
  private async checkUrl(url: string): Promise<void> {
    const looked = this.options.http.problemOf(url);
    const problem = await Promise.race([looked, setTimeout(lookupMsMax, undefined, { ref: false })]);
    if (problem !== undefined && problem !== unresolvedHost) throw unprocessable('url', problem);
  }
}

const none: Webhook = {
  registered: false,
  url: null,
  eventTypes: [],
  statuses: null,
  signingSecretConfigured: false,
};

const testChange = {
  docId: 'test',
  database: 'test',
  collection: 'default',
  corpus: 'knowledge',
  indexingStatus: IndexingStatus.completed,
  sequence: 1,
  itemErrorCode: '',
  itemErrorMessage: '',
} as const;

function toWebhook({ url, eventTypes, statuses, signingSecret }: WebhookRow): Webhook {
  return {
    registered: true,
    url,
    eventTypes,
    statuses: statuses.length < allStatuses.length ? statuses : null,
    signingSecretConfigured: signingSecret !== null,
  };
}
