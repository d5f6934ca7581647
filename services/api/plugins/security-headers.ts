import type { FastifyInstance } from 'fastify';

/** Nobody guesses a type: what is JSON is never run as a page or a script. */
export function installSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    done();
  });
}
