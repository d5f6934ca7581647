import type { FastifyInstance } from 'fastify';

/**
 * Requests that are under way when the server begins to close are answered, and their connections are closed with the
 * answer. The runtime closes those that are idle at that moment only: the others would be kept alive after their answer,
 * and the server would wait for their clients until it has to give up.
 */
export function closeConnectionsWithAnswers(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  // Answers that had begun already, as streams do, could not say so.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
}
