import type { DataFolder } from '../../samples/data-folder.ts';
import { seededRandom } from '../../samples/random.ts';

interface OrdinaryText {
  readonly text?: string;
  readonly prompt?: string;
  readonly response?: string;
}

export const ORDINARY = ['benign/code.jsonl', 'benign/documents.jsonl', 'benign/exchanges.jsonl'] as const;
const SAMPLE = 1_500;
const SAMPLE_SEED = 38;

/** Always the same sample of a file, the first texts of a shuffled order; an exchange has two texts. */
export function ordinarySample(
  data: DataFolder,
  file: (typeof ORDINARY)[number],
): readonly (readonly string[])[] {
  const random = seededRandom(SAMPLE_SEED);
  return data
    .cases<OrdinaryText>(file)
    .map((item) => ({ item, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, SAMPLE)
    .map(({ item: { text, prompt, response } }) =>
      [text, prompt, response].filter((one) => one !== undefined),
    );
}
