import { BUCKETS, type TextFeatures } from './features.ts';
import { rootOf, sumsOf, type WordWindow, windowsOf } from './windows.ts';

/** What the model is asked about a text. The last two only tell attacks apart. */
export const SUBJECTS = ['INJECTION', 'DANGEROUS', 'HATE', 'JAILBREAK', 'EXTRACTION'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What turns the sum of weights of a window into a verdict on one subject. */
export interface Head {
  readonly subject: Subject;
  readonly bias: number;
  /** What one step of a weight is worth. */
  readonly scale: number;
  /** Scores from which a window is worth a hint, and from which it is a find. */
  readonly hintFrom: number;
  readonly findFrom: number;
}

/** As it is kept: one signed byte per bucket and head, in the order of `heads`, base64. */
export interface StoredTextModel {
  /** Grows whenever the weights change. */
  readonly version: number;
  readonly heads: readonly Head[];
  readonly weights: string;
}

export interface Verdict extends WordWindow {
  /** Above `findFrom` of its head it is a find. */
  readonly score: number;
}

export interface TextModel {
  readonly version: number;
  headOf(subject: Subject): Head;
  /** Judges every window of a text; ask for as many subjects as are of interest. */
  judge(features: TextFeatures): Judged;
}

export interface Judged {
  /** The windows whose score reaches `hintFrom`, in the order of the text. */
  readonly windows: (subject: Subject) => Verdict[];
  /** The score of one stretch of words. */
  readonly scoreOf: (subject: Subject, window: WordWindow) => number;
}

/** Throws when the weights do not fit the features. */
export function openTextModel({ version, heads, weights: stored }: StoredTextModel): TextModel {
  const bytes = Buffer.from(stored, 'base64');
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  if (weights.length !== BUCKETS * heads.length)
    throw new Error('the text model has another size than its features');
  const indexOf = (subject: Subject): number => {
    const index = heads.findIndex((head) => head.subject === subject);
    if (index === -1) throw new Error(`the text model knows nothing about ${subject}`);
    return index;
  };
  return {
    version,
    headOf: (subject) => heads[indexOf(subject)]!,
    judge: (features) => {
      const all = windowsOf(features.count);
      const roots = all.map((window) => rootOf(features, window));
      const known = new Map<number, Float64Array>();
      const sumsOfHead = (index: number): Float64Array => {
        const sums = known.get(index) ?? sumsOf(features, { heads: heads.length, weights }, index);
        known.set(index, sums);
        return sums;
      };
      const scoreOf = (subject: Subject, window: WordWindow): number => {
        const index = indexOf(subject);
        const { bias, scale } = heads[index]!;
        const sums = sumsOfHead(index);
        return bias + (scale * (sums[window.end]! - sums[window.first]!)) / rootOf(features, window);
      };
      const windows = (subject: Subject): Verdict[] => {
        const index = indexOf(subject);
        const { bias, scale, hintFrom } = heads[index]!;
        const sums = sumsOfHead(index);
        return all.flatMap((window, at) => {
          const score = bias + (scale * (sums[window.end]! - sums[window.first]!)) / roots[at]!;
          return score >= hintFrom ? [{ ...window, score }] : [];
        });
      };
      return { windows, scoreOf };
    },
  };
}
