import fc from 'fast-check';
import { expect, test } from '#jest';
import { BANDS, bandsOf, digitsOf, NEAR_DUPLICATE, similarity, textOf } from './compare.ts';
import { FINGERPRINT_KEY_BYTES, fingerprintOf } from './fingerprint.ts';
import { drawing, drawnWord, drawnWords, trueSimilarity } from './testing/drawn-texts.ts';

const KEY = Buffer.alloc(FINGERPRINT_KEY_BYTES, 7);

/** Pairs of texts of `length` words, of which a given share differs. */
function drawnPairs(seed: number, length: number, share: number, count = 400) {
  const draw = drawing(seed);
  return Array.from({ length: count }, () => {
    const one = drawnWords(draw, length);
    const other = one.map((word) => (draw(1_000) < share * 1_000 ? drawnWord(draw) : word));
    const [ours, theirs] = [one, other].map((words) => fingerprintOf(KEY, words.join(' '))!) as [
      string,
      string,
    ];
    return { ours, theirs, truly: trueSimilarity(one, other), estimated: similarity(ours, theirs) };
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

test.each([
  [20, 0.05],
  [20, 0.2],
  [60, 0.1],
  [60, 0.3],
  [300, 0.1],
  [300, 0.5],
])(
  'the estimate is unbiased for %i words with a share of %d changed, with the stated error',
  (length, share) => {
    const errors = drawnPairs(3, length, share, 200).map(({ truly, estimated }) => estimated - truly);
    expect(Math.abs(mean(errors))).toBeLessThan(0.02);
    expect(Math.sqrt(mean(errors.map((error) => error ** 2)))).toBeLessThan(0.08);
  },
);

test('texts that share two of three pairs of words share a key, and unrelated ones hardly ever do', () => {
  const shares = (one: string, other: string): boolean => {
    const known = new Set(bandsOf(digitsOf(one)));
    return bandsOf(digitsOf(other)).some((key) => known.has(key));
  };
  const alike = drawnPairs(4, 60, 0.1).filter(({ truly }) => truly >= 0.66);
  expect(alike.length).toBeGreaterThan(200);
  expect(mean(alike.map(({ ours, theirs }) => Number(shares(ours, theirs))))).toBeGreaterThan(0.97);
  const unrelated = drawnPairs(5, 60, 1, 1_000);
  expect(mean(unrelated.map(({ ours, theirs }) => Number(shares(ours, theirs))))).toBeLessThan(0.02);
  expect(Math.max(...unrelated.map(({ estimated }) => estimated))).toBeLessThan(NEAR_DUPLICATE);
});

const SEPARATORS = [' ', '  ', '\n', ', ', ' - ', '; ', '\t', '!\u00a0', ' \ud83d\ude00 '];

test('case, white space and punctuation change nothing', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 8, max: 60 }),
      fc.infiniteStream(fc.constantFrom(...SEPARATORS)),
      fc.infiniteStream(fc.boolean()),
      (seed, length, separators, capitals) => {
        const words = [...'abcdefgh', ...drawnWords(drawing(seed), length)];
        const written = words.map((word) => {
          const isCapital = capitals.next().value as boolean;
          return (isCapital ? word.toUpperCase() : word) + (separators.next().value as string);
        });
        expect(fingerprintOf(KEY, written.join(''))).toBe(fingerprintOf(KEY, words.join(' ')));
      },
    ),
  );
});

test('any text has a stable fingerprint or none, and the stated number of keys', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 40 }), (pieces) => {
      const text = pieces.join(' ');
      const fingerprint = fingerprintOf(KEY, text);
      expect(fingerprintOf(KEY, text)).toBe(fingerprint);
      if (fingerprint === null) return;
      expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
      expect(similarity(fingerprint, fingerprint)).toBe(1);
      expect(new Set(bandsOf(digitsOf(fingerprint))).size).toBe(BANDS);
    }),
  );
});

test('similarity is symmetric, and is the share of equal digits beyond chance', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
  const alikeFrom = fc.tuple(hex, hex, fc.integer({ min: 0, max: 64 }));
  fc.assert(
    fc.property(alikeFrom, ([one, drawn, from]) => {
      const other = one.slice(0, from) + drawn.slice(from);
      const alike = similarity(one, other);
      expect(similarity(other, one)).toBe(alike);
      const equal = [...one].filter((digit, at) => digit === other[at]).length;
      expect(alike).toBeCloseTo(Math.max(0, (equal - 4) / 60), 12);
    }),
  );
});

test('the digits of a fingerprint survive parsing and formatting', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
  fc.assert(fc.property(hex, (text) => void expect(textOf(digitsOf(text))).toBe(text)));
});
