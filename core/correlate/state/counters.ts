import { noClusters, type Similarity } from './clusters.ts';
import { noKeys } from './keys.ts';
import { dropShape } from './prompt-shapes.ts';
import type { CorrelationSettings } from './rules.ts';
import { type Keys, SPANS, type Span, type Window } from './shapes.ts';
import { dropTally, spanLength } from './tally.ts';

/** All counters of one customer. */
export interface Counters {
  readonly similarity: Similarity;
  settings: CorrelationSettings;
  /** Hour of the oldest signal, since the epoch; infinite before the first one. */
  since: number;
  readonly keys: Keys;
  /** Open windows by their start. */
  readonly windows: Readonly<Record<Span, Map<number, Window>>>;
}

export const emptyCounters = (similarity: Similarity, settings: CorrelationSettings): Counters => ({
  similarity,
  settings,
  since: Number.POSITIVE_INFINITY,
  keys: noKeys(),
  windows: { SHORT: new Map(), DAY: new Map(), FORTNIGHT: new Map() },
});

export const lengthOf = ({ settings }: Pick<Counters, 'settings'>, span: Span): number =>
  spanLength(span, settings.windowMinutes * 60_000);

/** The window of that span and start, opened if necessary. */
export function windowAt(counters: Counters, span: Span, start: number): Window {
  return counters.windows[span].get(start) ?? openWindow(counters, span, start, lengthOf(counters, span));
}

export function openWindow(
  counters: Pick<Counters, 'windows'>,
  span: Span,
  start: number,
  lengthMs: number,
): Window {
  const clusters = span === 'DAY' ? noClusters() : null;
  const window: Window = { span, start, lengthMs, tallies: [], clusters };
  counters.windows[span].set(start, window);
  return window;
}

/** Removes a window and its tallies. */
export function dropWindow(counters: Pick<Counters, 'windows' | 'keys'>, window: Window): void {
  for (const tally of window.tallies) {
    const { key } = tally;
    dropTally(tally);
    if (key.kind === 'SHAPE_CODE') dropShape(counters.keys, key);
  }
  counters.windows[window.span].delete(window.start);
}

/** All open windows by their end, shorter ones first: the order in which they close. */
export function openWindows({ windows }: Pick<Counters, 'windows'>): Window[] {
  return SPANS.flatMap((span) => [...windows[span].values()]).sort(
    (a, b) => a.start + a.lengthMs - b.start - b.lengthMs || a.lengthMs - b.lengthMs,
  );
}
