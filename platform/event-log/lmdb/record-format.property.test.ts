import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { recordBytes } from '../record-size.ts';
import { decodeRecord, decodeTimestamp, encodeRecord, stampRecord } from './record-format.ts';

const text = fc.string({ unit: 'grapheme' });
const anyRecord = fc.record({
  topic: fc.constant('t'),
  key: text,
  value: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  headers: fc.dictionary(text, text),
});

describe('record format', () => {
  test('decodes what it encoded', () => {
    fc.assert(
      fc.property(anyRecord, fc.integer({ min: 0, max: 2 ** 48 - 1 }), (record, timestamp) => {
        const bytes = encodeRecord(record, timestamp);
        const { key, value, headers, timestamp: decoded } = decodeRecord(bytes);
        expect({ key, headers: { ...headers }, decoded }).toEqual({
          key: record.key,
          headers: { ...record.headers },
          decoded: timestamp,
        });
        expect(Buffer.compare(value, record.value)).toBe(0);
        expect(decodeTimestamp(bytes)).toBe(timestamp);
        const stamped = encodeRecord(record);
        stampRecord(stamped, timestamp);
        expect(Buffer.compare(stamped, bytes)).toBe(0);
      }),
    );
  });

  test('never takes a damaged record for a whole one silently: it throws or reads within the bytes', () => {
    const bytes = encodeRecord({ topic: 't', key: 'key', value: Buffer.from('v'), headers: { a: 'b' } }, 1);
    expect(() => decodeRecord(bytes.subarray(0, 20))).toThrow(/cut short/);
    const newer = Buffer.from(bytes);
    newer[0] = 9;
    expect(() => decodeRecord(newer)).toThrow(/format 9/);
    expect(() => decodeTimestamp(Buffer.alloc(0))).toThrow(/format none/);
  });

  test('the size that limits count is never less than key, value and headers', () => {
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
