import { expect, test } from '#jest';
import type { MeasuredLoad } from '../service/measured-load.ts';
import { cpuMsPerAudit, ratioOf, withoutWaiting } from './cost.ts';

const measured = (cpuSeconds: Readonly<Record<string, number>>): MeasuredLoad => ({
  load: { sent: 1_000, ok: 1_000, errors: new Map(), perSecond: 100, p50Ms: 1, p99Ms: 2, maxMs: 3 },
  usage: Object.entries(cpuSeconds).map(([name, seconds]) => ({
    name,
    cpuSeconds: seconds,
    residentMiB: 1,
  })),
  seconds: 10,
  referenceUs: 25,
});

test('CPU of an audit is that of each process and of all', () => {
  const perAudit = cpuMsPerAudit(measured({ api: 1, kafka: 0.5 }));
  expect([...perAudit]).toEqual([
    ['api', 1],
    ['kafka', 0.5],
    ['all', 1.5],
  ]);
});

test('what the waiting service asks of shared servers is not counted for the naive pipeline', () => {
  const idle = { naive: new Map([['kafka', 0.01]]), both: new Map([['kafka', 0.03]]) };
  expect(cpuMsPerAudit(withoutWaiting(measured({ api: 1, kafka: 0.5 }), idle)).get('kafka')).toBeCloseTo(0.3);
  const lessIdle = { naive: new Map([['kafka', 0.05]]), both: new Map([['kafka', 0.03]]) };
  expect(cpuMsPerAudit(withoutWaiting(measured({ kafka: 0.5 }), lessIdle)).get('kafka')).toBe(0.5);
});

test('the ratio is of the sums of all rounds, and there is none for a process that one of them lacks', () => {
  const rounds = [
    { ours: measured({ api: 1, sink: 1 }), naive: measured({ api: 0.5 }) },
    { ours: measured({ api: 2, sink: 2 }), naive: measured({ api: 1 }) },
  ];
  expect(ratioOf(rounds)).toBe(4);
  expect(ratioOf(rounds, 'api')).toBe(2);
  expect(ratioOf(rounds, 'sink')).toBeNull();
});
