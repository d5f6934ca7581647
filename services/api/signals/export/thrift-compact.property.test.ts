import fc from 'fast-check';
import { expect, test } from '#jest';
import { type Field, readStruct, type Struct, writeStruct } from './thrift-compact.ts';

const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const byte = fc.bigInt({ min: 0n, max: 255n });

const { struct } = fc.letrec<{ struct: Struct; field: Field }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small' },
    fc.boolean().map((value) => ({ type: value ? 1 : 2, value })),
    byte.map((value) => ({ type: 3, value })),
    fc.record({ type: fc.constantFrom(4, 5, 6), value: integer }),
    fc.uint8Array({ minLength: 8, maxLength: 8 }).map((array) => ({ type: 7, value: Buffer.from(array) })),
    bytes.map((value) => ({ type: 8, value })),
    fc
      .record({
        type: fc.constantFrom(9, 10),
        items: fc.oneof(
          fc.array(integer, { maxLength: 40 }).map((items) => ({ elementType: 6, items })),
          fc.array(fc.boolean(), { maxLength: 20 }).map((items) => ({ elementType: 1, items })),
          fc.array(bytes, { maxLength: 20 }).map((items) => ({ elementType: 8, items })),
          fc.array(tie('struct'), { maxLength: 4 }).map((items) => ({ elementType: 12, items })),
        ),
      })
      .map(({ type, items }) => ({ type, value: items })),
    tie('struct').map((value) => ({ type: 12, value })),
  ) as fc.Arbitrary<Field>,
  struct: fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 3_000 }), tie('field')), {
      maxLength: 6,
      selector: ([id]) => id,
    })
    .map((fields) => new Map(fields.sort(([a], [b]) => a - b))),
}));

test('a written struct is read back unchanged', () =>
  fc.assert(
    fc.property(struct, (value) => {
      expect(readStruct(writeStruct(value))).toEqual(value);
    }),
  ));

test('input that ends too early is refused', () =>
  fc.assert(
    fc.property(struct, fc.nat(), (value, length) => {
      const whole = writeStruct(value);
      expect(() => readStruct(whole.subarray(0, length % whole.length))).toThrow(RangeError);
    }),
  ));
