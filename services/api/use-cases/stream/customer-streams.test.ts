import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { CHECK_MS, CustomerStreams } from './customer-streams.ts';
import { EventQueue } from './event-queue.ts';
import type { LedgerSource } from './followed-ledger.ts';

const source: LedgerSource = {
  last: async () => ({ epoch: 0, index: -1 }),
  epochOf: async () => null,
  hasMore: async () => false,
  signals: async () => [],
};

test('a key that is revoked ends its streams; one that nobody can be asked about is believed for a minute, and no longer', async () => {
  let nowMs = 0;
  let answer: () => boolean = () => true;
  let asked: string[] = [];
  const streams = new CustomerStreams({
    source,
    maxMissed: 10,
    readStats: () => Promise.reject(new Error('not here')),
    freshness: async () => ({ lagSeconds: 0, complete: true }),
    isAdmitted: async (admission) => {
      asked.push(admission);
      return !admission.endsWith('revoked') && answer();
    },
    now: () => nowMs,
    onFailure: () => undefined,
  });
  const open = async (keyId: string): Promise<EventQueue> => {
    const queue = new EventQueue({
      limits: { maxBytes: 10_000, maxFrames: 100, stalledMs: 1e9 },
      budget: { maxBytes: 1e6, heldBytes: 0 },
      now: () => nowMs,
      onClose: () => streams.remove(queue),
      onOverflow: () => undefined,
    });
    streams.add(
      queue,
      { madeBy: keyId, session: null },
      await streams.ledger.begin(null, source),
      source,
      1_000,
    );
    return queue;
  };
  const check = async (): Promise<void> => {
    nowMs += CHECK_MS;
    streams.tick();
    for (let n = 0; n < 5; n += 1) await turn();
  };
  const [one, same, revoked] = [await open('a'), await open('a'), await open('revoked')];
  await check();
  // Once for all streams of a key.
  expect(asked).toEqual(['apiKeys/a', 'apiKeys/revoked']);
  expect([one.isOpen, same.isOpen, revoked.isOpen]).toEqual([true, true, false]);
  asked = [];
  answer = () => {
    throw new Error('the state is down');
  };
  for (let n = 0; n < 3; n += 1) await check();
  expect(one.isOpen).toBe(true);
  answer = () => true;
  await check();
  answer = () => {
    throw new Error('the state is down');
  };
  for (let n = 0; n < 3; n += 1) await check();
  expect(one.isOpen).toBe(true);
  await check();
  expect([one.isOpen, same.isOpen]).toEqual([false, false]);
});
