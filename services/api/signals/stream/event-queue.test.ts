import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import { EventQueue, type QueueBudget } from './event-queue.ts';
import { frameOf } from './frames.ts';
import { type OpenedStream, openStream } from './testing/event-stream.ts';

/** Queues on real sockets, whose clients read or do not. */

const LIMITS = { maxBytes: 200_000, maxFrames: 50, stalledMs: 30_000 };
let nowMs: number;
let budget: QueueBudget;
let overflows: number;
let server: Server;
let url: string;
const queues: EventQueue[] = [];
const closed: EventQueue[] = [];
const streams: OpenedStream[] = [];

beforeEach(async () => {
  nowMs = 0;
  overflows = 0;
  budget = { maxBytes: 1_000_000, heldBytes: 0 };
  server = createServer((_request, response) => {
    const queue = queueOf();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    queue.stream.once('close', () => response.end());
    response.once('close', () => queue.stream.destroy());
    queue.stream.pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  queues.splice(0);
  closed.splice(0);
  server.closeAllConnections();
  server.close();
});

function queueOf(): EventQueue {
  const queue: EventQueue = new EventQueue({
    limits: LIMITS,
    budget,
    now: () => nowMs,
    onClose: () => closed.push(queue),
    onOverflow: () => {
      overflows += 1;
    },
  });
  queues.push(queue);
  return queue;
}
async function connect(): Promise<{ stream: OpenedStream; queue: EventQueue }> {
  const stream = await openStream(url);
  streams.push(stream);
  return { stream, queue: queues.at(-1)! };
}
const frame = (n: number, bytes = 10): Buffer =>
  frameOf({ event: 'signal', data: { n, text: 'x'.repeat(bytes) } as never });
const seen = ({ events }: OpenedStream): number[] => events.map(({ data }) => data.n);

describe('an event queue', () => {
  test('sends all frames in order to a client that reads, and is then empty', async () => {
    const { stream, queue } = await connect();
    for (let n = 0; n < 500; n += 1) {
      queue.send(frame(n, 3_000));
      await queue.drained();
      if (n % 10 === 0) await turn();
    }
    await stream.until(({ data }) => data.n === 499);
    expect(seen(stream)).toEqual(Array.from({ length: 500 }, (_, n) => n));
    expect(budget.heldBytes).toBe(0);
    expect(overflows).toBe(0);
  });

  test('ends at its limits for a client that does not read; others continue', async () => {
    const deaf = await connect();
    const good = await connect();
    deaf.stream.pause();
    let sent = 0;
    let most = 0;
    while (deaf.queue.isOpen) {
      // The system's own buffers take several megabytes first.
      deaf.queue.send(frame(sent, 50_000));
      good.queue.send(frame(sent, 10));
      most = Math.max(most, budget.heldBytes);
      sent += 1;
      await turn();
    }
    expect(overflows).toBe(1);
    expect(most).toBeLessThanOrEqual(2 * LIMITS.maxBytes);
    await good.stream.until(({ data }) => data.n === sent - 1);
    expect(seen(good.stream)).toEqual(Array.from({ length: sent }, (_, n) => n));
    expect(good.queue.isOpen).toBe(true);
    expect(budget.heldBytes).toBe(0);
    deaf.stream.resume();
    await deaf.stream.ended();
    // It received every event up to some point.
    expect(seen(deaf.stream)).toEqual(seen(deaf.stream).map((_, n) => n));
  });

  test('accepts one frame larger than its limit when it is empty', async () => {
    const { stream, queue } = await connect();
    queue.send(frame(1, LIMITS.maxBytes + 1));
    await stream.until(({ data }) => data.n === 1);
    expect(queue.isOpen).toBe(true);
  });

  test('has a limit of frames as well', () => {
    const queue = queueOf();
    for (let n = 0; n < LIMITS.maxFrames; n += 1) queue.send(frame(n));
    expect(queue.isOpen).toBe(true);
    queue.send(frame(LIMITS.maxFrames));
    expect([queue.isOpen, overflows, closed]).toEqual([false, 1, [queue]]);
  });

  test('shares a budget with those of all clients, including pages', () => {
    const many = Array.from({ length: 20 }, queueOf);
    const page = Array.from({ length: 40 }, (_, n) => frame(n, 4_000));
    for (const queue of many) queue.sendPage(page);
    expect(budget.heldBytes).toBeLessThanOrEqual(budget.maxBytes);
    const open = many.filter(({ isOpen }) => isOpen);
    expect(open.length).toBeGreaterThan(0);
    expect(overflows).toBe(many.length - open.length);
    expect(overflows).toBeGreaterThan(0);
    for (const { stream } of many) stream.destroy();
    expect(budget.heldBytes).toBe(0);
    expect(closed).toHaveLength(many.length);
  });

  test('disconnects a client that takes nothing for half a minute while something waits', () => {
    const [waiting, idle] = [queueOf(), queueOf()];
    waiting.send(frame(1));
    nowMs += LIMITS.stalledMs - 1;
    for (const queue of [waiting, idle]) queue.check();
    expect([waiting.isOpen, idle.isOpen]).toEqual([true, true]);
    nowMs += 1;
    for (const queue of [waiting, idle]) queue.check();
    expect([waiting.isOpen, idle.isOpen, overflows]).toEqual([false, true, 1]);
  });

  test('completes the answer when ended, drops waiting frames, and releases its waiters', async () => {
    const { stream, queue } = await connect();
    queue.send(frame(1));
    await stream.until(({ data }) => data.n === 1);
    queue.end();
    queue.send(frame(2));
    await stream.ended();
    expect([stream.isWhole, seen(stream)]).toEqual([true, [1]]);
    const deaf = queueOf();
    deaf.sendPage(Array.from({ length: 40 }, (_, n) => frame(n, 4_000)));
    const drained = deaf.drained();
    deaf.end();
    await drained;
    expect(budget.heldBytes).toBe(0);
  });
});
