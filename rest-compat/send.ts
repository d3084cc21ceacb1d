import type { FastifyReply, FastifyRequest } from 'fastify';
import { noteFailure } from '../src/api/failure.js';
import type { FailedRequest } from '../src/api/failure.js';
import { elapsedMs } from '../src/api/request-log.js';
import type { App } from '../src/app.js';
import { errorBody } from './error-response.js';
import { apiVersion, deprecations } from './response.js';
import type { Meta } from './response.js';

/** The part of meta that every answer has; also sets the headers about deprecations. */
export function commonMeta(request: FastifyRequest, reply: FastifyReply): Meta {
  const meta: Meta = { request_id: request.id, latency_ms: elapsedMs(request), api_version: apiVersion };
  const entries = deprecations(request.deprecatedUses, request.routeOptions.config?.legacyRoute);
  if (entries.length === 0) return meta;
  const warning = entries.map((entry) => entry.message).join('; ');
  void reply.header('deprecation', 'true').header('warning', `299 - "${warning.replace(/["\\]/g, "'")}"`);
  return { ...meta, deprecation: entries };
}

/** Answers a failure in the envelope. */
export function sendFailure(app: App, failed: FailedRequest): FastifyReply {
  const { request, reply } = failed;
  // It was refused before anything was read, or is no request to this interface.
  request.deprecatedUses ??= [];
  const appError = noteFailure(app, failed);
  const { legacyRoute, codes } = request.routeOptions.config ?? {};
  const rules = { legacy: legacyRoute?.path.startsWith('/tenants') === true, codes };
  return reply.code(appError.status).send(errorBody(appError, commonMeta(request, reply), rules));
}
