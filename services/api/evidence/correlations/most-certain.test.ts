import type { FoundPattern } from '#core/correlate/detect.ts';
import { expect, test } from '#jest';
import { MAX_PATTERN_BYTES, MAX_PATTERNS, mostCertain } from './most-certain.ts';

const found = (number: number, score: number, signals = 1): FoundPattern => ({
  finding: {
    id: `finding-${number}`,
    type: 'BURST',
    key: 'violation:EMAIL',
    status: 'CLOSED',
    source: 'RUN',
    version: 1,
    windowStart: number,
    windowMs: 1,
    count: signals,
    baseline: 0,
    observed: signals,
    score,
    test: 'a test',
    pValue: 0.1,
    riskLevel: 'HIGH',
    firstSeen: 0,
    lastSeen: 0,
    signalIds: [],
    description: 'One.',
  },
  members: Array.from({ length: signals }, (_, index) => ({
    index,
    id: `0190cccc-0000-7000-8000-${index.toString().padStart(12, '0')}`,
    at: 1_700_000_000_000,
    rank: 2,
  })),
});

test('only the most certain patterns are kept', () => {
  const all = Array.from({ length: MAX_PATTERNS + 50 }, (_, number) => found(number, (number % 150) / 150));
  const kept = mostCertain(all);
  expect(kept).toHaveLength(MAX_PATTERNS);
  const scores = all.map(({ finding }) => finding.score).sort((a, b) => b - a);
  expect(kept.map(({ finding }) => finding.score)).toEqual(scores.slice(0, MAX_PATTERNS));
});

test('no more patterns are kept than fit into a document', () => {
  const all = Array.from({ length: MAX_PATTERNS }, (_, number) => found(number, 1, 100));
  const kept = mostCertain(all);
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  expect(bytes).toBeLessThanOrEqual(MAX_PATTERN_BYTES + kept.length + 2);
  expect(bytes).toBeGreaterThan(MAX_PATTERN_BYTES * 0.9);
  // Of equal patterns, the earlier ones.
  expect(kept.map(({ finding }) => finding.windowStart)).toEqual(kept.map((_, index) => index));
});
