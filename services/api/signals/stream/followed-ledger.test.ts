import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '#jest';
import type { LedgerPosition } from '#schemas/api/stream.ts';
import { FollowedLedger, type Follower, type LedgerSource } from './followed-ledger.ts';

/** A restored ledger continues from an earlier index, with entries of a later epoch. */

/** The epoch of each entry; all are signals. */
const epochs: number[] = [];
const source: LedgerSource = {
  last: async () => ({ epoch: epochs.at(-1) ?? 0, index: epochs.length - 1 }),
  epochOf: async (index) => epochs[index] ?? null,
  hasMore: async ({ after, upTo }, than) => upTo - after > than,
  signals: async ({ after, upTo }, limit) =>
    epochs
      .map((epoch, index) => ({ position: { epoch, index }, frame: Buffer.from(`${epoch}-${index}`) }))
      .slice(after + 1, upTo + 1)
      .slice(0, limit),
};

class Client implements Follower {
  isOpen = true;
  readonly seen: string[] = [];
  send(frame: Buffer): void {
    this.seen.push(String(frame));
  }
  sendPage(frames: readonly Buffer[]): void {
    for (const frame of frames) this.send(frame);
  }
  async drained(): Promise<void> {
    await turn();
  }
  end(): void {
    this.isOpen = false;
  }
}

const settled = async (): Promise<void> => {
  for (let n = 0; n < 20; n += 1) await turn();
};

test('followers of lost entries are disconnected, and reset or continue when they reconnect', async () => {
  const ledger = new FollowedLedger({
    source,
    maxMissed: 100,
    page: { live: 10, missed: 10 },
    resetFrame: (reason) => Buffer.from(reason),
    onMoved: () => undefined,
    onFailure: () => undefined,
  });
  const follow = async (from: LedgerPosition | null) => {
    const client = new Client();
    const beginning = await ledger.begin(from, source);
    await ledger.follow(client, beginning, source);
    return { client, beginning };
  };
  epochs.push(1, 1, 1, 1);
  const first = await follow(null);
  epochs.push(1);
  ledger.report({ first: 4, last: 4, epoch: 1 });
  await settled();
  expect(first.client.seen).toEqual(['1-4']);

  // The last two are lost, and the next entry takes the place of the first.
  epochs.splice(3, 2, 2);
  ledger.report({ first: 3, last: 3, epoch: 2 });
  await settled();
  expect(first.client.isOpen).toBe(false);
  expect(first.client.seen).toEqual(['1-4']);
  const late = await follow({ epoch: 1, index: 4 });
  expect(late.beginning).toMatchObject({ resumed: false, reset: 'UNKNOWN_PLACE' });
  const kept = await follow({ epoch: 1, index: 2 });
  expect(kept.beginning).toMatchObject({ resumed: true, reset: null });
  epochs.push(2);
  ledger.report({ first: 4, last: 4, epoch: 2 });
  await settled();
  expect([late.client.seen, kept.client.seen]).toEqual([['2-4'], ['2-3', '2-4']]);

  // A new epoch after all entries is still the same ledger.
  epochs.push(3);
  ledger.report({ first: 5, last: 5, epoch: 3 });
  await settled();
  expect([late.client.isOpen, late.client.seen.at(-1)]).toEqual([true, '3-5']);
});
