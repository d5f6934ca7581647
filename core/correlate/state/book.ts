import { noClusters, type Similarity } from './clusters.ts';
import { noKeys } from './keys.ts';
import { dropShape } from './prompt-shapes.ts';
import type { CorrelationSettings } from './rules.ts';
import { type Keys, SPANS, type Span, type Window } from './shapes.ts';
import { dropTally, spanLength } from './tally.ts';

/** Everything that is counted of one customer. */
export interface Book {
  readonly similarity: Similarity;
  settings: CorrelationSettings;
  /** Hour of the oldest signal, since the epoch; infinite before there is one. */
  since: number;
  readonly keys: Keys;
  /** Open windows by their start. */
  readonly windows: Readonly<Record<Span, Map<number, Window>>>;
}

export const emptyBook = (similarity: Similarity, settings: CorrelationSettings): Book => ({
  similarity,
  settings,
  since: Number.POSITIVE_INFINITY,
  keys: noKeys(),
  windows: { SHORT: new Map(), DAY: new Map(), FORTNIGHT: new Map() },
});

export const lengthOf = ({ settings }: Pick<Book, 'settings'>, span: Span): number =>
  spanLength(span, settings.windowMinutes * 60_000);

/** The window of that span and beginning, opened when it is not. */
export function windowAt(book: Book, span: Span, start: number): Window {
  return book.windows[span].get(start) ?? openWindow(book, span, start, lengthOf(book, span));
}

export function openWindow(book: Pick<Book, 'windows'>, span: Span, start: number, lengthMs: number): Window {
  const clusters = span === 'DAY' ? noClusters() : null;
  const window: Window = { span, start, lengthMs, tallies: [], clusters };
  book.windows[span].set(start, window);
  return window;
}

/** Takes a window and its tallies out. */
export function dropWindow(book: Pick<Book, 'windows' | 'keys'>, window: Window): void {
  for (const tally of window.tallies) {
    const { key } = tally;
    dropTally(tally);
    if (key.kind === 'SHAPE_CODE') dropShape(book.keys, key);
  }
  book.windows[window.span].delete(window.start);
}

/** All open windows, by their end, shorter ones first: the order in which they close. */
export function openWindows({ windows }: Pick<Book, 'windows'>): Window[] {
  return SPANS.flatMap((span) => [...windows[span].values()]).sort(
    (a, b) => a.start + a.lengthMs - b.start - b.lengthMs || a.lengthMs - b.lengthMs,
  );
}
