import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '#jest';
import { COMMENT_MS, CustomerStreams } from './customer-streams.ts';
import { EventQueue } from './event-queue.ts';
import type { LedgerSource } from './followed-ledger.ts';

const source: LedgerSource = {
  last: async () => ({ epoch: 0, index: -1 }),
  epochOf: async () => null,
  hasMore: async () => false,
  signals: async () => [],
};

test('a stream gets a comment after each pause, so that no proxy closes it', async () => {
  let nowMs = 0;
  const streams = new CustomerStreams({
    source,
    maxMissed: 10,
    readStats: () => Promise.reject(new Error('not here')),
    freshness: async () => ({ lagSeconds: 0, complete: true }),
    now: () => nowMs,
    onFailure: () => undefined,
  });
  const queue = new EventQueue({
    limits: { maxBytes: 10_000, maxFrames: 100, stalledMs: 1e9 },
    budget: { maxBytes: 1e6, heldBytes: 0 },
    now: () => nowMs,
    onClose: () => streams.remove(queue),
    onOverflow: () => undefined,
  });
  streams.add(queue, await streams.ledger.begin(null, source), source, 1_000);
  const seen: string[] = [];
  queue.stream.on('data', (frame: Buffer) => seen.push(frame.toString()));
  const comments = async (passedMs: number): Promise<number> => {
    nowMs += passedMs;
    streams.tick();
    for (let n = 0; n < 5; n += 1) await turn();
    return seen.filter((frame) => frame.startsWith(':')).length;
  };
  expect([await comments(COMMENT_MS - 1), await comments(1), await comments(COMMENT_MS)]).toEqual([0, 1, 2]);
  queue.end();
});
