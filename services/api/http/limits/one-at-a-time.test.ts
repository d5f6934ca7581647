import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { closeFloods, MAX_WAITING, workOneAtATime } from './one-at-a-time.ts';

const REQUEST = 'GET /held HTTP/1.1\r\nhost: localhost\r\n\r\n';
const READ_BYTES = 64 * 1024;

describe('pipelined requests on a connection', () => {
  let app: FastifyInstance;
  let port: number;
  let made: number;
  /** Handlers in progress, each with a function that lets it continue. */
  let held: (() => void)[];
  let onHeld: () => void;

  beforeEach(async () => {
    [made, held, onHeld] = [0, [], () => undefined];
    app = fastify({ forceCloseConnections: true, rewriteUrl: closeFloods() });
    workOneAtATime(app);
    app.server.on('request', () => made++);
    app.get('/held', async () => {
      await new Promise<void>((resolve) => {
        held.push(resolve);
        onHeld();
      });
      return 'done';
    });
    app.get('/quick', async () => 'quick');
    await app.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = app.server.address() as { port: number });
  });
  afterEach(async () => {
    for (const go of held) go();
    await app.close();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    return socket;
  };
  const nextHeld = (): Promise<void> =>
    new Promise((resolve) => {
      onHeld = resolve;
    });
  const quick = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/quick`)).status;

  test('are handled one after the other, and all answered', async () => {
    const socket = await open();
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
    let started = nextHeld();
    socket.write(REQUEST.repeat(MAX_WAITING + 1));
    for (let number = 1; number <= MAX_WAITING + 1; number += 1) {
      await started;
      // Meanwhile another connection gets its turn, and no second request of this one has started.
      expect(await quick()).toBe(200);
      expect(held).toHaveLength(number);
      started = nextHeld();
      held[number - 1]!();
    }
    while ((text.match(/HTTP\/1\.1 200/g) ?? []).length < MAX_WAITING + 1) await once(socket, 'data');
    socket.destroy();
  });

  test('close the connection by the thousand, and hardly any of them is read', async () => {
    const socket = await open();
    socket.on('error', () => undefined);
    socket.resume();
    const closed = once(socket, 'close');
    const count = Math.floor(READ_BYTES / REQUEST.length);
    expect(count).toBeGreaterThan(1_000);
    socket.write(REQUEST.repeat(count));
    await closed;
    expect(made).toBeLessThanOrEqual(MAX_WAITING + 2);
    expect(held).toHaveLength(1);
    expect(await quick()).toBe(200);
  });

  test('close the connection by the thousand even if no hook sees them', async () => {
    const socket = await open();
    socket.on('error', () => undefined);
    socket.resume();
    const closed = once(socket, 'close');
    const unreadable = REQUEST.replace('/held', '/%zz');
    socket.write(unreadable.repeat(Math.floor(READ_BYTES / unreadable.length)));
    await closed;
    expect(made).toBeLessThanOrEqual(MAX_WAITING + 2);
    expect(await quick()).toBe(200);
  });

  test('are never started if their connection closes while they wait', async () => {
    const socket = await open();
    const started = nextHeld();
    socket.write(REQUEST.repeat(3));
    await started;
    const gone = new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
    expect(await gone).toBe(1);
    socket.destroy();
    while ((await new Promise((resolve) => app.server.getConnections((_e, count) => resolve(count)))) !== 0)
      await new Promise(setImmediate);
    held[0]!();
    expect(await quick()).toBe(200);
    expect(held).toHaveLength(1);
  });
});
