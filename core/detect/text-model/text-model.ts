import { type BlockSums, blockSumsInSteps } from './block-sums.ts';
import { BUCKETS } from './features.ts';
import { eachWindow, rootOfCount, type WordWindow } from './windows.ts';

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
  /** Judges every window of a text for these subjects. Time in proportion to the text; yields on the way. */
  judgeInSteps(text: string, subjects: readonly Subject[]): Generator<void, Judged>;
}

export interface Judged extends Pick<BlockSums, 'count' | 'startOf' | 'endOf'> {
  /** For each subject, the windows whose score reaches `hintFrom`, in the order of the text. */
  readonly verdicts: ReadonlyMap<Subject, readonly Verdict[]>;
  /** The score of one window of the text, also on other subjects. */
  readonly scoreOf: (subject: Subject, window: WordWindow) => number;
}

/** Windows judged between two yields. */
const STRETCH = 2_000;

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
    judgeInSteps: function* (text, subjects) {
      const sums = yield* blockSumsInSteps(text, { heads: heads.length, weights });
      const scored = (index: number, window: WordWindow, root: number): number =>
        heads[index]!.bias + (heads[index]!.scale * sums.weightOf(index, window)) / root;
      const asked = subjects.map((subject) => ({ index: indexOf(subject), found: [] as Verdict[] }));
      let judged = 0;
      for (const window of eachWindow(sums.count)) {
        if (++judged % STRETCH === 0) yield;
        const root = rootOfCount(sums.featuresOf(window));
        for (const { index, found } of asked) {
          const score = scored(index, window, root);
          if (score >= heads[index]!.hintFrom) found.push({ ...window, score });
        }
      }
      return {
        count: sums.count,
        startOf: sums.startOf,
        endOf: sums.endOf,
        verdicts: new Map(subjects.map((subject, at) => [subject, asked[at]!.found])),
        scoreOf: (subject, window) => scored(indexOf(subject), window, rootOfCount(sums.featuresOf(window))),
      };
    },
  };
}
