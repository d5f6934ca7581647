import fc from 'fast-check';
import { expect, test } from '#jest';
import { canonicalInOrder, canonicalJson } from './canonical-json.ts';

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

test('the order of the members does not matter', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), json), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
    }),
  );
});

const outcomeOf = (write: () => string): string => {
  try {
    return write();
  } catch (error) {
    return (error as Error).message;
  }
};

test('the fast and the general writer agree on ordered members, and both reject lone surrogates', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '"', '\\', 'u', 'd', '8', '\ud800', '\udc00', 'é', '\n'),
  });
  const member = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.array(text));
  fc.assert(
    fc.property(member, member, text, (a, b, c) => {
      fc.pre(![a, b].some((one) => typeof one === 'number' && !Number.isFinite(one)));
      const value = { a, b: [b], c: { d: c } };
      expect(outcomeOf(() => canonicalInOrder(value))).toBe(outcomeOf(() => canonicalJson(value)));
    }),
    { numRuns: 1_000 },
  );
});
