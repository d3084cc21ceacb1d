import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.js';

/** Answers every other method on a served path with 405 and the allowed ones. */
export function refuseOtherMethods(scope: FastifyInstance, url: string, served: readonly string[]): void {
  const methods = served.join(', ');
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    void reply.header('allow', methods);
    const [path] = request.url.split('?', 1);
    throw new AppError(
      'METHOD_NOT_ALLOWED',
      `${path} does not serve ${request.method}; it serves ${methods}`,
    );
  };
  scope.route({
    method: scope.supportedMethods.filter((method) => !served.includes(method)),
    url,
    // Before the body is looked at, for which Fastify has rules of its own: a QUERY has to name its type.
    onRequest: refuse,
    handler: refuse,
  });
}
