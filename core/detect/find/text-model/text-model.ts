import { createBlockSums } from './block-sums.ts';
import { BUCKETS } from './features.ts';
import { HEADS, headTable } from './head-tables.ts';
import { rootOfCount, windowsIn } from './windows.ts';

/** The model's classes. The last two only distinguish attacks. */
export const SUBJECTS = ['INJECTION', 'DANGEROUS', 'HATE', 'JAILBREAK', 'EXTRACTION'] as const;
export type Subject = (typeof SUBJECTS)[number];

/**
 * Maximum number of words of each length class; longer texts form one more class. A text is as bad as its worst window,
 * so a text with more windows scores higher by chance.
 */
export const LENGTH_CLASSES = [40, 80, 160, 320, 640] as const;

export function lengthClassOf(words: number): number {
  const index = LENGTH_CLASSES.findIndex((most) => words <= most);
  return index === -1 ? LENGTH_CLASSES.length : index;
}

/** Minimum scores of a window that counts as a hint, and of one that counts as a match. */
export interface Limits {
  readonly hintFrom: number;
  readonly findFrom: number;
}

/** Turns the sum of a window's weights into a verdict on one subject. */
export interface Head {
  readonly subject: Subject;
  readonly bias: number;
  /** The value of one quantisation step of a weight. */
  readonly scale: number;
  /** By length class; empty for a head that only distinguishes attacks. */
  readonly limits: readonly Limits[];
}

/** The stored form: one signed byte per bucket and head, in the order of `heads`, as Base64. */
export interface StoredTextModel {
  /** Incremented whenever the weights change. */
  readonly version: number;
  readonly heads: readonly Head[];
  readonly weights: string;
}

interface TextModel {
  readonly version: number;
  /** The limits for a length class. Throws for a head without limits. */
  limitsOf(subject: Subject, lengthClass: number): Limits;
  /** A reader whose windows are scored on these subjects: one, three, or all in the order of the heads. */
  readerOf(subjects: readonly Subject[]): TextReader;
}

/** Reads a text so that its windows can be scored; valid until the same reader reads the next text. Linear time. */
export type TextReader = (text: string) => WindowScores;

/** The windows of a text, by index. */
export interface WindowScores {
  readonly length: number;
  /** Length class of the whole text. */
  readonly lengthClass: number;
  score(subject: Subject, window: number): number;
  /** UTF-16 code units. */
  startOf(window: number): number;
  endOf(window: number): number;
}

/** Throws if the weights do not fit the features. */
export function openTextModel({ version, heads, weights: stored }: StoredTextModel): TextModel {
  const bytes = Buffer.from(stored, 'base64');
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  if (heads.length !== HEADS || weights.length !== BUCKETS * HEADS)
    throw new Error('the size of the text model does not match its features');
  const indexes = new Map(heads.map(({ subject }, index) => [subject, index]));
  const indexOf = (subject: Subject): number => {
    const index = indexes.get(subject);
    if (index === undefined) throw new Error(`the text model has no weights for ${subject}`);
    return index;
  };
  return {
    version,
    limitsOf: (subject, lengthClass) => {
      const limits = heads[indexOf(subject)]!.limits[lengthClass];
      if (limits === undefined) throw new Error(`the text model has no thresholds for ${subject}`);
      return limits;
    },
    readerOf: (subjects) => {
      const sumsOf = createBlockSums(headTable(weights, subjects.map(indexOf)));
      return (text) => {
        const sums = sumsOf(text);
        const { length, firstOf, endOf } = windowsIn(sums.count);
        return {
          length,
          lengthClass: lengthClassOf(sums.count),
          score: (subject, window) => {
            const { bias, scale } = heads[indexOf(subject)]!;
            const [first, end] = [firstOf(window), endOf(window)];
            const weight = sums.weightOf(subjects.indexOf(subject), first, end);
            return bias + (scale * weight) / rootOfCount(sums.featuresOf(first, end));
          },
          startOf: (window) => sums.startOf(firstOf(window)),
          endOf: (window) => sums.endOf(endOf(window)),
        };
      };
    },
  };
}
