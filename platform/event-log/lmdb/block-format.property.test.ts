import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { encodeBlock, recordsIn } from './block-format.ts';

const anyRecords = fc.array(
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  { minLength: 1, maxLength: 20 },
);

describe('block format', () => {
  test('a block contains its records in order, the last at the offset of its key', () => {
    fc.assert(
      fc.property(anyRecords, fc.integer({ min: 20, max: Number.MAX_SAFE_INTEGER }), (records, last) => {
        const found = [...recordsIn(encodeBlock(records), last)];
        expect(found.map(([offset]) => offset)).toEqual(
          records.map((_, index) => last - records.length + 1 + index),
        );
        for (const [index, [, bytes]] of found.entries())
          expect(Buffer.compare(bytes, records[index]!)).toBe(0);
      }),
    );
  });

  test('a block that was cut, or whose lengths do not add up, contains nothing', () => {
    const block = encodeBlock([Buffer.from([1, 2, 3]), Buffer.from([4, 5])]);
    for (let length = 1; length < block.length; length += 1)
      expect([...recordsIn(block.subarray(0, length), 9)]).toEqual([]);
    for (const at of [1, 2, 3, 6, 7, 10]) {
      const damaged = Buffer.from(block);
      damaged[at]! ^= 0x41;
      expect([...recordsIn(damaged, 9)]).toEqual([]);
    }
  });
});
