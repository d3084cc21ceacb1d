import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.js';

/** Every other method of a path that is served: 405 with those that are. */
export function refuseOtherMethods(scope: FastifyInstance, url: string, served: readonly string[]): void {
  const methods = served.join(', ');
  scope.route({
    method: scope.supportedMethods.filter((method) => !served.includes(method)),
    url,
    handler: async (request, reply) => {
      void reply.header('allow', methods);
      const [path] = request.url.split('?', 1);
      throw new AppError(
        'METHOD_NOT_ALLOWED',
        `${path} does not serve ${request.method}; it serves ${methods}`,
      );
    },
  });
}
