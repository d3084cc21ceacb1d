import { deprecate } from './openapi-schemas.js';
import type { JsonSchema } from './openapi-schemas.js';

const text: JsonSchema = { type: 'string' };
const timestamp: JsonSchema = { ...text, pattern: String.raw`^\d+$` };

type Header = readonly [name: string, schema: JsonSchema, description: string];

const everyAttempt: readonly Header[] = [
  ['X-Service-Delivery-ID', text, 'The delivery, the same in every attempt.'],
  ['X-Service-Event', text, 'The same as event.'],
  ['X-Service-Timestamp', timestamp, 'When this attempt was made, in seconds since 1970.'],
  ['webhook-id', text, 'The delivery, as Standard Webhooks call it.'],
  ['webhook-timestamp', timestamp, 'The time of the attempt, as Standard Webhooks call it.'],
];
/** Absent without a signing secret. */
const signatures: readonly Header[] = [
  [
    'X-Service-Signature',
    { ...text, pattern: '^sha256=[0-9a-f]{64}$' },
    '`sha256=` and the hex HMAC-SHA256 of the raw body, keyed with the signing secret, if there is one.',
  ],
  ['webhook-signature', text, 'The signature of Standard Webhooks, of id, time and body.'],
];

/** components/schemas of what receivers are sent. */
export const eventSchemas: Readonly<Record<string, JsonSchema>> = {
  IndexingStatusChanged: {
    type: 'object',
    description: 'The indexing status of an item has changed. The same bytes come in every attempt.',
    required: [
      'event',
      'delivery_id',
      'id',
      'doc_id',
      'database',
      'collection',
      'type',
      'indexing_status',
      'status',
      'sequence',
      'timestamp',
      'tenant_id',
      'sub_tenant_id',
    ],
    properties: {
      event: { ...text, const: 'indexing.status_changed' },
      delivery_id: {
        ...text,
        format: 'uuid',
        description: 'For GET /webhooks/indexing/deliveries/{delivery_id}.',
      },
      id: { ...text, description: 'The item.' },
      doc_id: deprecate(text, 'id'),
      database: text,
      collection: text,
      type: { ...text, enum: ['knowledge', 'memory'] },
      indexing_status: { $ref: '#/components/schemas/IndexingStatus' },
      status: deprecate(text, 'indexing_status'),
      sequence: { type: 'integer', minimum: 0, description: 'Counts the changes of one ingestion, from 1.' },
      timestamp: { ...text, format: 'date-time', description: 'When it changed.' },
      error_code: { ...text, description: 'Why indexing has failed; only with `errored`.' },
      error_message: { ...text, description: 'The same for people to read.' },
      test: {
        type: 'boolean',
        const: true,
        description: 'Only in the event of POST /webhooks/indexing/test.',
      },
      tenant_id: deprecate(text, 'database'),
      sub_tenant_id: deprecate(text, 'collection'),
    },
  },
};

/** What the server asks of receivers, by event. */
export function webhookDescriptions(): Record<string, JsonSchema> {
  const post = {
    operationId: 'receiveIndexingStatusChanged',
    tags: ['webhooks'],
    summary: 'The indexing status of an item has changed',
    description:
      'Sent to the URL that was registered with POST /webhooks/indexing. An answer of any 2xx means that it has arrived; else it is sent again. WEBHOOK_HEADER_PREFIX replaces `X-Service`.',
    parameters: [...inHeader(everyAttempt, true), ...inHeader(signatures, false)],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/IndexingStatusChanged' } } },
    },
    responses: { '2XX': { description: 'It has arrived.' } },
    security: [],
  };
  return { 'indexing.status_changed': { post } };
}

function inHeader(headers: readonly Header[], required: boolean): JsonSchema[] {
  return headers.map(([name, schema, description]) => ({
    name,
    in: 'header',
    required,
    description,
    schema,
  }));
}
