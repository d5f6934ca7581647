import { STREAM_CRASH_POINTS } from '#platform/stream/partition/options.ts';

/** Where a test may kill the analyzer (`CRASH_AT`). */
export const ANALYZER_CRASH_POINTS = STREAM_CRASH_POINTS.map((point) => `analyzer.${point}` as const);
