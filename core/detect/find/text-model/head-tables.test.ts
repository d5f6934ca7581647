import fc from 'fast-check';
import { expect, test } from '#jest';
import { BUCKETS } from './features.ts';
import { HEADS, headTable } from './head-tables.ts';

/** All possible weights, with extremes more frequent. */
const weights = Int8Array.from({ length: BUCKETS * HEADS }, (_, at) =>
  at % 7 === 0 ? -128 : at % 11 === 0 ? 127 : (at * 31) & 0xff,
);
/** Up to the maximum number of features of a word. */
const buckets = fc.array(fc.nat(BUCKETS - 1), { maxLength: 80 });

test.each([[[2]], [[0, 1, 2]], [[4, 0, 3]], [[0, 1, 2, 3, 4]]])(
  'the weights of heads %j are summed exactly',
  (heads) => {
    const table = headTable(weights, heads);
    fc.assert(
      fc.property(buckets, (some) => {
        const sums = new Float64Array(heads.length).fill(5);
        table.add(Uint32Array.from(some), some.length, sums);
        const expected = heads.map((head) =>
          some.reduce((sum, bucket) => sum + weights[bucket * HEADS + head]!, 5),
        );
        expect([...sums]).toEqual(expected);
      }),
    );
  },
);
