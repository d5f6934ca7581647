import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.ts';

const json = fc.jsonValue({ maxDepth: 4 });

test('canonical JSON reads back as the same value and is its own canonical form', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test('the order in which members were set does not matter', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), json), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
    }),
  );
});
