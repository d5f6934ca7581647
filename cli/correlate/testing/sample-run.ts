import type { ShownCorrelationRun, ShownPattern } from '#schemas/api/evidence/correlations.ts';

export const RUN_ID = '01993d5a-7c00-7000-8000-0000000000a7';

export const samplePattern = (change: Partial<ShownPattern> = {}): ShownPattern => ({
  id: '01993d5a-7c00-8000-8000-0000000000b7',
  type: 'BURST',
  key: 'violation:SSN',
  source: 'RUN',
  status: 'CLOSED',
  version: 48,
  windowStart: '2026-11-05T05:00:00.000Z',
  windowEnd: '2026-11-05T06:00:00.000Z',
  count: 20,
  baseline: 1.23456,
  observed: 20,
  score: 0.987,
  test: 'negative-binomial',
  pValue: 1e-12,
  riskLevel: 'HIGH',
  signalIds: [],
  firstSeen: '2026-11-05T05:00:01.000Z',
  lastSeen: '2026-11-05T05:47:00.000Z',
  description: '20 signals with SSN in an hour; normally about 1.2 at this hour and weekday.',
  ...change,
});

export const sampleRun = (change: Partial<ShownCorrelationRun> = {}): ShownCorrelationRun => ({
  id: RUN_ID,
  source: 'RUN',
  status: 'COMPLETED',
  parameters: {
    startDate: '2026-11-01T00:00:00.000Z',
    endDate: '2026-11-30T23:59:59.999Z',
    sandboxSlug: null,
    windowMinutes: 60,
    minSignals: 3,
    dimensions: ['sandbox', 'model', 'provider', 'violation'],
  },
  analyzedSignals: 1_234,
  totalSignals: 1_234,
  progress: 1,
  patternCount: 1,
  patternsLeftOut: 0,
  patterns: [samplePattern()],
  failure: null,
  createdAt: '2026-11-26T10:00:00.000Z',
  completedAt: '2026-11-26T10:00:01.000Z',
  ...change,
});

/** A run in progress. */
export const runningRun = (progress: number): ShownCorrelationRun =>
  sampleRun({
    status: 'RUNNING',
    progress,
    analyzedSignals: Math.round(1_234 * progress),
    patternCount: null,
    patterns: null,
    completedAt: null,
  });
