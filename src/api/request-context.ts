import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../accounts/caller.js';
import type { App } from '../app.js';
import type { Services } from '../app-services.js';
import type { Logger } from '../lib/logger.js';
import { limitReads } from './deadline.js';
import type { LimitedRead } from './deadline.js';
import type { Asked } from './request-log.js';

/** What resolvers know of the request; GraphQL and REST make the same one. */
export interface RequestContext {
  /** A UUIDv7 made by the server; sent as meta.request_id, extensions.requestId and X-Request-Id. */
  readonly requestId: string;
  readonly caller: Caller;
  readonly services: Services;
  readonly logger: Logger;
  readonly asked: Asked;
  readonly limitRead: LimitedRead;
  /** Where this server is reached: PUBLIC_URL, else the host that the request names; no slash at the end. */
  readonly baseUrl: string;
  /** Makes the ids of what this request creates. */
  readonly newId: () => string;
}

/** The context of an authenticated request. */
export function requestContext(
  app: App,
  request: FastifyRequest,
  newId: () => string = () => uuidv7(),
): RequestContext {
  if (!request.caller) throw new Error('requestContext was asked for before the request was admitted');
  return {
    requestId: request.id,
    caller: request.caller,
    services: app.services,
    logger: app.logger,
    asked: request.asked,
    limitRead: limitReads(app.config.queryTimeoutMs, request.clientGone),
    baseUrl: app.config.publicUrl ?? `${request.protocol}://${request.host}`,
    newId,
  };
}
