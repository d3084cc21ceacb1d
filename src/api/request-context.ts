import type { Caller } from '../accounts/caller.js';
import type { Services } from '../app-services.js';
import type { Logger } from '../lib/logger.js';
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
