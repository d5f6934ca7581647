import type { Similarity } from '../state/clusters.ts';
import { countHours, countShape, nothingGrown } from '../state/count.ts';
import { type Counters, emptyCounters } from '../state/counters.ts';
import type { Past } from '../state/entries.ts';
import { DEFAULT_SETTINGS } from '../state/rules.ts';
import type { Span } from '../state/shapes.ts';
import { type KeptFindings, noFindings } from './kept.ts';

/** The state of one customer's fold. */
export interface FoldState {
  /** Index of the next entry; lower ones are repeats. */
  next: number;
  /** The latest acceptedAt, Unix ms. */
  watermark: number;
  /** Day of the watermark at which old hours were last removed. */
  sweptDay: number;
  /** The customer has been erased. */
  isClosed: boolean;
  /** Late signals, which only runs over history count. */
  late: number;
  /** Per span: windows that start before this time accept no more signals. */
  readonly shut: Record<Span, number>;
  counters: Counters;
  findings: KeptFindings;
}

/**
 * `past`: counts from before the first entry, when correlation starts on existing history; empty for a new customer.
 */
export function newState(similarity: Similarity, past: Past): FoldState {
  const counters = emptyCounters(similarity, DEFAULT_SETTINGS);
  const grown = nothingGrown();
  for (const group of past.hours) countHours(counters, group, Number.POSITIVE_INFINITY, grown);
  for (const group of past.shapes) countShape(counters, group);
  return {
    next: 0,
    watermark: 0,
    sweptDay: 0,
    isClosed: false,
    late: 0,
    shut: { SHORT: 0, DAY: 0, FORTNIGHT: 0 },
    counters,
    findings: noFindings(),
  };
}
