import type { FastifyRequest } from 'fastify';
import { invalidInput } from '../errors.js';

/** The only value of the header API-Version that is served. */
export const servedApiMajor = '2';

/**
 * Refuses a request for another API version; without the header it gets the one that is served. @throws
 * AppError INVALID_INPUT
 */
export function checkApiVersion(request: FastifyRequest): void {
  const version = request.headers['api-version'];
  if (version === undefined || version === servedApiMajor) return;
  throw invalidInput('API-Version', `"${String(version)}" is not served; send ${servedApiMajor}`);
}
