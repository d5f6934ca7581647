import { type Book, emptyBook } from '../state/book.ts';
import type { Similarity } from '../state/clusters.ts';
import { countHours, countShape, nothingGrown } from '../state/count.ts';
import type { Past } from '../state/entries.ts';
import { DEFAULT_SETTINGS } from '../state/rules.ts';
import type { Span } from '../state/shapes.ts';
import { type KeptFindings, noFindings } from './kept.ts';

/** Where the fold of one customer stands. */
export interface FoldState {
  /** Index of the next entry: those below it are repeats. */
  next: number;
  /** The latest acceptedAt, Unix ms. */
  watermark: number;
  /** Day of the watermark at which old hours were last forgotten. */
  sweptDay: number;
  /** The customer is erased. */
  isClosed: boolean;
  /** Signals that came late, and count for runs over history alone. */
  late: number;
  /** Windows of a span that begin before this count nothing any more. */
  readonly shut: Record<Span, number>;
  book: Book;
  findings: KeptFindings;
}

/** `past`: counts of what lies before the first entry (at a first contact with history); none for a new customer. */
export function newState(similarity: Similarity, past: Past): FoldState {
  const book = emptyBook(similarity, DEFAULT_SETTINGS);
  const grown = nothingGrown();
  for (const group of past.hours) countHours(book, group, Number.POSITIVE_INFINITY, grown);
  for (const group of past.shapes) countShape(book, group);
  return {
    next: 0,
    watermark: 0,
    sweptDay: 0,
    isClosed: false,
    late: 0,
    shut: { SHORT: 0, DAY: 0, FORTNIGHT: 0 },
    book,
    findings: noFindings(),
  };
}
