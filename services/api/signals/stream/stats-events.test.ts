import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from '#jest';
import type { Stats } from '#schemas/api/dashboard.ts';
import { COUNT_AGAIN_MS, MIN_PAUSE_MS, REPEATED_MS, StatsEvents } from './stats-events.ts';

let nowMs: number;
let reads: number;
let sent: Stats[];
let total: number;
let isComplete: boolean;
let isDown: boolean;
let events: StatsEvents;

const stats = (): Stats => ({
  totalAudits: total,
  auditBreakdown: { stored: total, inFlight: 0, retrying: 0, deadLettered: 0, erased: 0 },
  riskBreakdown: { LOW: total, MEDIUM: 0, HIGH: 0, CRITICAL: 0 },
  topViolations: [],
  sandboxBreakdown: [],
  modelBreakdown: [],
  asOf: new Date(nowMs).toISOString(),
  freshness: { lagSeconds: isComplete ? 0 : 1, complete: isComplete },
});
beforeEach(() => {
  nowMs = 1_000_000;
  [reads, total, isComplete, isDown, sent] = [0, 1, true, false, []];
  events = new StatsEvents({
    read: async () => {
      if (isDown) throw new Error('the warehouse is down');
      reads += 1;
      return stats();
    },
    freshness: async () => stats().freshness,
    send: (frame) => sent.push(JSON.parse(/^data: (.*)$/m.exec(String(frame))![1]!)),
    now: () => nowMs,
    onFailure: () => undefined,
  });
});
/** Advances the time in the steps of the service. */
async function pass(ms: number): Promise<void> {
  for (const end = nowMs + ms; nowMs < end; ) {
    nowMs += Math.min(250, end - nowMs);
    events.tick();
    await turn();
  }
}

test('numbers are counted at once, and then only if the ledger has grown, at most every two seconds', async () => {
  await pass(250);
  expect([reads, sent.length]).toEqual([1, 1]);
  for (let n = 0; n < 40; n += 1) {
    total += 1;
    events.moved();
    await pass(250);
  }
  // Ten seconds.
  expect(reads).toBeLessThanOrEqual(1 + 10_000 / MIN_PAUSE_MS);
  expect(reads).toBeGreaterThanOrEqual(10_000 / MIN_PAUSE_MS);
  expect(sent).toHaveLength(reads);
  await pass(MIN_PAUSE_MS);
  expect(sent.at(-1)!.totalAudits).toBe(total);
});

test('numbers are resent every ten seconds without a count, and not sooner without a change', async () => {
  await pass(250);
  events.moved();
  await pass(REPEATED_MS - 250);
  expect([reads, sent.length]).toEqual([2, 1]);
  await pass(250);
  expect([reads, sent.length]).toEqual([2, 2]);
  // The time of the original count.
  expect(sent[1]!.asOf).toBe(new Date(1_002_250).toISOString());
});

test('numbers are counted again once a minute, for audits that end without an entry', async () => {
  await pass(250);
  total = 7;
  await pass(COUNT_AGAIN_MS);
  expect([reads, sent.at(-1)!.totalAudits]).toEqual([2, 7]);
});

test('incomplete numbers are counted again once they are complete', async () => {
  isComplete = false;
  await pass(250);
  await pass(REPEATED_MS);
  expect([reads, sent.length]).toEqual([1, 2]);
  isComplete = true;
  await pass(REPEATED_MS);
  expect([reads, sent.at(-1)!.freshness.complete]).toEqual([2, true]);
});

test('numbers that could not be counted are counted two seconds later', async () => {
  isDown = true;
  await pass(250);
  expect(sent).toEqual([]);
  isDown = false;
  await pass(MIN_PAUSE_MS);
  expect([reads, sent.length]).toEqual([1, 1]);
});
