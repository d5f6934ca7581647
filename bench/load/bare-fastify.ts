import { fastify } from 'fastify';

/** The minimal answer to an ingest: parses the JSON and sends 202. Prints its address. */
const app = fastify();
app.post('/audit/ingest', (request, reply) => {
  const body = request.body as { sandboxSlug?: string };
  return reply.code(202).send({ success: true, status: 'QUEUED', sandboxSlug: body.sandboxSlug });
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.on('disconnect', () => process.exit(0));
