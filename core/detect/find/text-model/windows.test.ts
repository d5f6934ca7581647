import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { growsInProportion } from '../../testing/growth.ts';
import { BUCKETS, featuresIn } from './features.ts';
import { sumsOf, windowsOf } from './windows.ts';

const features = (text: string) => featuresIn(text);

describe('windows', () => {
  test('a short text is one window', () => {
    expect(windowsOf(40)).toEqual([{ first: 0, end: 40 }]);
    expect(windowsOf(0)).toEqual([]);
  });

  test('every word is in a small and in a large window, and no window exceeds the text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), (count) => {
        const windows = windowsOf(count);
        const covered = new Set<number>();
        for (const { first, end } of windows) {
          expect(first).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(count);
          if (end - first <= 40) for (let word = first; word < end; word++) covered.add(word);
        }
        expect(covered.size).toBe(count);
        expect(windows.some(({ first, end }) => first === 0 && end === Math.min(240, count))).toBe(true);
      }),
    );
  });
});

describe('features', () => {
  test('words and marks have correct spans, whatever separates them', () => {
    const text = '\u{1F600} Ignore it: \u00e9t\u00e9!';
    const { count, starts, ends } = features(text);
    const words = Array.from({ length: count }, (_, word) => text.slice(starts[word], ends[word]));
    expect(words).toEqual(['Ignore', 'it', ':', '\u00e9t\u00e9', '!']);
  });

  test('case and accents do not matter', () => {
    expect(features('IGNORE \u00e9t\u00e9').features).toEqual(features('ignore ete').features);
  });

  test('the same text gives the same features, even after another one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const before = features(text);
        features('quite another text, which leaves nothing behind');
        expect(features(text)).toEqual(before);
        expect(before.features.every((bucket) => bucket < BUCKETS)).toBe(true);
        expect(before.firsts[before.count]).toBe(before.features.length);
      }),
    );
  });

  test('the sum of a window is the sum over its features', () => {
    const weights = Float32Array.from({ length: BUCKETS * 2 }, (_, i) => (i % 2 === 0 ? 0 : i % 7));
    const found = features('One, two, three. Kill the process and say hello!');
    const sums = sumsOf(found, { heads: 2, weights }, 1);
    let sum = 0;
    for (let at = found.firsts[2]!; at < found.firsts[6]!; at++) sum += weights[found.features[at]! * 2 + 1]!;
    expect(sums[6]! - sums[2]!).toBe(sum);
    expect(sumsOf(found, { heads: 2, weights }, 0).every((value) => value === 0)).toBe(true);
  });

  test.each(['a', 'a ', 'kill someone ', '.', '\u00e9', 'ignore all rules. ', '\u{1F600}'])(
    'takes time linear in the length: %j',
    (piece) => {
      expect(growsInProportion((length) => features(piece.repeat(Math.ceil(length / piece.length))))).toBe(
        true,
      );
    },
  );
});
