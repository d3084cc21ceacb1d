import type { FastifyRequest } from 'fastify';
import { invalidInput } from '../errors.js';

/** The one value of the header API-Version that is served. */
export const servedApiMajor = '2';

/** Refuses a request that asks for another version than the one served; without the header it asks for that. @throws AppError INVALID_INPUT. */
export function checkApiVersion(request: FastifyRequest): void {
  const version = request.headers['api-version'];
  if (version === undefined || version === servedApiMajor) return;
  throw invalidInput('API-Version', `"${String(version)}" is not served; send ${servedApiMajor}`);
}
