import fc from 'fast-check';
import { expect, test } from '#jest';
import { NDJSON } from '#schemas/api/audit-batch.ts';
import { countReads } from '../../testing/count-reads.ts';
import { batchItems, type RawItem } from './batch-items.ts';

const JSON_TYPE = 'application/json';

const itemsOf = (bytes: Buffer, mediaType: string): RawItem[] =>
  [...batchItems({ bytes, mediaType, hold: () => undefined })].filter((item) => item !== undefined);

/** The parsed items, or null when the batch or one of its items is broken. */
function read(text: string, mediaType: string): unknown[] | null {
  try {
    return itemsOf(Buffer.from(text), mediaType).map((item) => JSON.parse(String(item.bytes)));
  } catch {
    return null;
  }
}

function parsed(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

const item = fc.jsonValue({
  stringUnit: fc.oneof(
    fc.constantFrom('"', '\\', ',', '[', ']', '{', '}'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

test('an array is split like it would be parsed, however it is spaced', () => {
  fc.assert(
    fc.property(fc.array(item), fc.constantFrom(undefined, ' ', '\t', '\n  '), (items, space) => {
      const text = JSON.stringify(items, undefined, space);
      expect(read(` ${text}\r\n`, JSON_TYPE)).toEqual(JSON.parse(text));
    }),
  );
});

test('splitter and parser agree on what is almost an array', () => {
  const cut = fc.record({
    at: fc.nat(),
    length: fc.nat(3),
    put: fc.constantFrom('', '"', '\\', ',', '[', ']', '{', '}', ':', ' ', '1'),
  });
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 4 }),
      fc.array(cut, { minLength: 1, maxLength: 3 }),
      (items, cuts) => {
        let text = JSON.stringify(items);
        for (const { at, length, put } of cuts) {
          const offset = at % (text.length + 1);
          text = text.slice(0, offset) + put + text.slice(offset + length);
        }
        // As it arrives: UTF-8 has no lone surrogates.
        const sent = Buffer.from(text).toString();
        expect(read(sent, JSON_TYPE)).toEqual(parsed(sent));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('lines are items, whatever their line break, except empty ones', () => {
  const line = fc.oneof(
    item.map((value) => ({ text: JSON.stringify(value), items: [value] })),
    fc.constantFrom('', ' ', '\t\r').map((text) => ({ text, items: [] })),
  );
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, end, last) => {
      const text = lines.map((each) => each.text).join(end) + (last ? end : '');
      expect(read(text, NDJSON)).toEqual(JSON.parse(JSON.stringify(lines.flatMap(({ items }) => items))));
    }),
  );
});

test.each([
  ['line ends', NDJSON, '', '\n'],
  ['carriage returns', NDJSON, '', '\r'],
  ['an item and blank lines', NDJSON, '{}', '\n \n\t\r'],
  ['items after spaces', NDJSON, '', '      1\n'],
  ['spaces', JSON_TYPE, '', ' '],
  ['open brackets', JSON_TYPE, '', '['],
  ['spaces in an array', JSON_TYPE, '[', ' '],
  ['commas', JSON_TYPE, '[', ','],
  ['strings', JSON_TYPE, '[', '"",'],
  ['backslashes', JSON_TYPE, '["', '\\\\'],
  ['escaped quotes', JSON_TYPE, '["', '\\"'],
  ['closing braces', JSON_TYPE, '[', '}'],
  ['empty arrays', JSON_TYPE, '[', '[ ],'],
  ['lines of strings', NDJSON, '', '["\\""]\n'],
])('a batch of %s is read in linear time', (_, mediaType, begin, repeated) => {
  const { seen, reads } = countReads(Buffer.from(begin + repeated.repeat(3_000)));
  try {
    itemsOf(seen, mediaType);
  } catch {
    // Refused; the tests above check whether it should be.
  }
  expect(reads() / seen.length).toBeLessThan(6);
});
