import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import type { LogRecord } from '../port.ts';
import { recordBytes } from '../record-size.ts';
import { decodeRecord, decodeTimestamp, encodeRecord, stampRecord } from './record-format.ts';

const text = fc.string({ unit: 'grapheme' });
const anyRecord = fc.record({
  topic: fc.constant('t'),
  key: text,
  value: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  headers: fc.dictionary(text, text),
});

const stamped = (record: LogRecord, timestamp: number): Buffer => {
  const bytes = encodeRecord(record);
  stampRecord(bytes, timestamp);
  return bytes;
};

describe('record format', () => {
  test('decodes an encoded record', () => {
    fc.assert(
      fc.property(anyRecord, fc.integer({ min: 0, max: 2 ** 48 - 1 }), (record, timestamp) => {
        const bytes = stamped(record, timestamp);
        const { key, value, headers, timestamp: decoded } = decodeRecord(bytes)!;
        expect({ key, headers: { ...headers }, decoded }).toEqual({
          key: record.key,
          headers: { ...record.headers },
          decoded: timestamp,
        });
        expect(Buffer.compare(value, record.value)).toBe(0);
        expect(decodeTimestamp(bytes)).toBe(timestamp);
      }),
    );
  });

  test('never accepts a damaged record, whichever bit changed and wherever it ends', () => {
    const bytes = stamped({ topic: 't', key: 'key', value: Buffer.from('v'), headers: { a: 'b' } }, 1);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      expect({ bit, decoded: decodeRecord(damaged) }).toEqual({ bit, decoded: null });
      expect(decodeTimestamp(damaged)).toBeNull();
    }
    for (let length = 0; length < bytes.length; length += 1)
      expect(decodeRecord(bytes.subarray(0, length))).toBeNull();
  });

  test('the counted size is never less than key, value and headers', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const parts = [record.key, ...Object.entries(record.headers).flat()].map((each) =>
          Buffer.byteLength(each),
        );
        expect(recordBytes(record)).toBeGreaterThan(
          record.value.length + parts.reduce((sum, each) => sum + each, 0),
        );
      }),
    );
  });
});
