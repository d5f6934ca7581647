import type { FastifyInstance } from 'fastify';

/**
 * Requests in progress when the server starts to close are answered, and their connections are closed with the answer.
 * The runtime closes only connections that are idle at that moment: the others would stay alive after their answer, and
 * the server would wait for their clients until it gives up.
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
  // Answers that had already started, such as streams, could not send the header.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (isClosing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
}
