import { fastify } from 'fastify';
import { Kafka, logLevel, Partitioners } from 'kafkajs';

/**
 * The naive endpoint: sends each request's body to Kafka and answers when the broker has it. It does not check, seal or
 * count anything. Arguments: brokers, topic. Prints its address.
 */
const [brokers = '', topic = ''] = process.argv.slice(2);
const kafka = new Kafka({ clientId: 'naive', brokers: brokers.split(','), logLevel: logLevel.ERROR });
const producer = kafka.producer({
  allowAutoTopicCreation: false,
  createPartitioner: Partitioners.DefaultPartitioner,
});
await producer.connect();
const app = fastify();
let count = 0;
app.post('/audit/ingest', async (request, reply) => {
  count += 1;
  await producer.send({
    topic,
    acks: -1,
    messages: [{ key: String(count), value: JSON.stringify(request.body) }],
  });
  return reply.code(202).send({ success: true, status: 'QUEUED' });
});
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.on('disconnect', () => process.exit(0));
