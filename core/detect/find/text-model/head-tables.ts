import { BUCKETS } from './features.ts';

/** Number of heads of the model. */
export const HEADS = 5;

/** The weights of some heads, laid out so that each bucket takes one look-up in as small a table as possible. */
export interface HeadTable {
  readonly heads: number;
  /** Adds the weights of buckets to `sums`, one number per head. At most as many buckets at a time as a word has. */
  add(buckets: Uint32Array, count: number, sums: Float64Array): void;
}

/** `weights`: `HEADS` per bucket, of which only the given heads are used. */
export function headTable(weights: Int8Array, heads: readonly number[]): HeadTable {
  if (heads.length === 1) return oneHead(weights, heads[0]!);
  return heads.length === MAX_PACKED ? threeHeads(weights, heads) : allHeads(weights);
}

/** For texts judged by one head, such as responses: a fifth of the bytes. */
function oneHead(weights: Int8Array, head: number): HeadTable {
  const column = new Int8Array(BUCKETS);
  for (let bucket = 0; bucket < BUCKETS; bucket++) column[bucket] = weights[bucket * HEADS + head]!;
  return {
    heads: 1,
    add: (buckets, count, sums) => {
      let sum = 0;
      for (let at = 0; at < count; at++) sum = (sum + column[buckets[at]!]!) | 0;
      sums[0]! += sum;
    },
  };
}

const MAX_PACKED = 3;
/** Makes weights positive, so that several can be added at once. */
const LIFT = 128;
const OUTER = 0x00ff00ff;

/** Three weights in one number: the first and the third are added together, in 16 bits each. */
function threeHeads(weights: Int8Array, [first, second, third]: readonly number[]): HeadTable {
  const packed = new Int32Array(BUCKETS);
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const lifted = (head: number): number => weights[bucket * HEADS + head]! + LIFT;
    packed[bucket] = lifted(first!) | (lifted(second!) << 8) | (lifted(third!) << 16);
  }
  return {
    heads: MAX_PACKED,
    add: (buckets, count, sums) => {
      let outer = 0;
      let inner = 0;
      for (let at = 0; at < count; at++) {
        const three = packed[buckets[at]!]!;
        outer = (outer + (three & OUTER)) | 0;
        inner = (inner + ((three >>> 8) & 0xff)) | 0;
      }
      const lift = count * LIFT;
      sums[0]! += (outer & 0xffff) - lift;
      sums[1]! += inner - lift;
      sums[2]! += (outer >>> 16) - lift;
    },
  };
}

/** Unrolled; used for suspected attacks and for training. */
const allHeads = (weights: Int8Array): HeadTable => ({
  heads: HEADS,
  add: (buckets, count, sums) => {
    let [s0, s1, s2, s3, s4] = [0, 0, 0, 0, 0];
    for (let at = 0; at < count; at++) {
      const row = buckets[at]! * HEADS;
      s0 += weights[row]!;
      s1 += weights[row + 1]!;
      s2 += weights[row + 2]!;
      s3 += weights[row + 3]!;
      s4 += weights[row + 4]!;
    }
    sums[0]! += s0;
    sums[1]! += s1;
    sums[2]! += s2;
    sums[3]! += s3;
    sums[4]! += s4;
  },
});
