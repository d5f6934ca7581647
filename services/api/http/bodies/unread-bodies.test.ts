import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, describe, expect, test } from '#jest';
import { createPace, discardUnreadBodies, type Pace } from './unread-bodies.ts';

const MIB = 1024 * 1024;
const BODY_BYTES = 16 * MIB;
const NEVER_MS = 2 ** 30;

describe('bodies of refused requests', () => {
  let app: FastifyInstance;
  let reading: Socket;
  afterEach(async () => app.close());

  /** A server that refuses every request before its body is read, and a client that sends a large one. */
  const send = async (pace: Pace): Promise<{ client: Socket; answer: Promise<string> }> => {
    app = fastify({ forceCloseConnections: true });
    discardUnreadBodies(app, pace);
    app.addHook('onRequest', async (_request, reply) => reply.code(429).send('no'));
    app.post('/', async () => 'never');
    app.server.on('connection', (socket: Socket) => {
      reading = socket;
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    const client = connect({ host: '127.0.0.1', port });
    client.on('error', () => undefined);
    const answer = once(client, 'data').then(([bytes]) => String(bytes));
    client.write(`POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${BODY_BYTES}\r\n\r\n`);
    client.write(Buffer.alloc(BODY_BYTES));
    return { client, answer };
  };

  test('are answered, and read no faster than the pace', async () => {
    const { client, answer } = await send({ take: () => NEVER_MS });
    expect(await answer).toContain('HTTP/1.1 429');
    const first = reading;
    // More turns of the event loop than it would take to read all of it.
    for (let number = 0; number < 100; number += 1) {
      const other = await fetch(`http://127.0.0.1:${first.localPort}/`, { method: 'POST' });
      expect(other.status).toBe(429);
    }
    expect(first.bytesRead).toBeLessThan(MIB);
    client.destroy();
  });

  test('are read to the end, and the connection serves the next request', async () => {
    let received = 0;
    let onAll: (value: unknown) => void = () => undefined;
    const all = new Promise((resolve) => {
      onAll = resolve;
    });
    const take = (bytes: number): number => {
      received += bytes;
      if (received >= BODY_BYTES) onAll(null);
      return 0;
    };
    const { client, answer } = await send({ take });
    expect(await answer).toContain('HTTP/1.1 429');
    const next = once(client, 'data');
    client.write('POST / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(String((await next)[0])).toContain('HTTP/1.1 429');
    await all;
    expect(received).toBe(BODY_BYTES);
    client.destroy();
  });

  test('share one pace, however many arrive at once', () => {
    let now = 5_000;
    const pace = createPace(1_000, () => now);
    expect(pace.take(100)).toBe(100);
    expect(pace.take(100)).toBe(200);
    now += 1_000;
    expect(pace.take(50)).toBe(50);
  });
});
