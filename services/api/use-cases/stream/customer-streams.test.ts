import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { SESSION_IDLE_MS } from '#platform/state/port.ts';
import type { Caller } from '../../plugins/authentication/authentication.ts';
import { CHECK_MS, CustomerStreams } from './customer-streams.ts';
import { EventQueue } from './event-queue.ts';
import type { LedgerSource } from './followed-ledger.ts';

const source: LedgerSource = {
  last: async () => ({ epoch: 0, index: -1 }),
  epochOf: async () => null,
  hasMore: async () => false,
  signals: async () => [],
};

/** Streams of one customer, whose clock and admissions the test moves. `isAdmitted` is asked about each key and session. */
function world(isAdmitted: (admission: string) => boolean) {
  let nowMs = 0;
  const streams = new CustomerStreams({
    source,
    maxMissed: 10,
    readStats: () => Promise.reject(new Error('not here')),
    freshness: async () => ({ lagSeconds: 0, complete: true }),
    isAdmitted: async (admission) => isAdmitted(admission),
    now: () => nowMs,
    onFailure: () => undefined,
  });
  const open = async (caller: Pick<Caller, 'madeBy' | 'session'>): Promise<EventQueue> => {
    const queue = new EventQueue({
      limits: { maxBytes: 10_000, maxFrames: 100, stalledMs: 1e9 },
      budget: { maxBytes: 1e6, heldBytes: 0 },
      now: () => nowMs,
      onClose: () => streams.remove(queue),
      onOverflow: () => undefined,
    });
    streams.add(queue, caller, await streams.ledger.begin(null, source), source, 1_000);
    return queue;
  };
  const check = async (passedMs = CHECK_MS): Promise<void> => {
    nowMs += passedMs;
    streams.tick();
    for (let n = 0; n < 5; n += 1) await turn();
  };
  return { open, check, openByKey: (keyId: string) => open({ madeBy: keyId, session: null }) };
}

test('a key that is revoked ends its streams; one that nobody can be asked about is believed for a minute, and no longer', async () => {
  let answer: () => boolean = () => true;
  let asked: string[] = [];
  const { openByKey, check } = world((admission) => {
    asked.push(admission);
    return !admission.endsWith('revoked') && answer();
  });
  const [one, same, revoked] = [await openByKey('a'), await openByKey('a'), await openByKey('revoked')];
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

test('a stream that a session opened ends when the session would have without a use; that of a key goes on', async () => {
  const { open, openByKey, check } = world(() => true);
  const session = { sessionId: 's' } as NonNullable<Caller['session']>;
  const [bySession, byKey] = [await open({ madeBy: 'user:u', session }), await openByKey('a')];
  await check(SESSION_IDLE_MS - 1);
  expect([bySession.isOpen, byKey.isOpen]).toEqual([true, true]);
  await check();
  expect([bySession.isOpen, byKey.isOpen]).toEqual([false, true]);
});
