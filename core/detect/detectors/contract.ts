import { describe, expect, test } from '@jest/globals';
import type { Detector } from '../detector.ts';

export interface DetectorCases {
  /** Text -> exactly the values found in it, in order. */
  readonly finds: readonly (readonly [string, readonly string[]])[];
  /** Texts in which nothing is found, though something looks alike. */
  readonly ignores: readonly string[];
  /** Pieces that, repeated, give the detector the most work. */
  readonly hostile: readonly string[];
}

/** Emoji, a combining accent and a letter outside the basic plane: four characters, more code units. */
const ASTRAL = '\u{1F600} e\u0301 \u{1D4D0} ';

export function valuesFound(detector: Detector, text: string): string[] {
  return detector.find(text).map(({ start, end }) => text.slice(start, end));
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** Time of the processor, not of the clock, and the best of several runs: other work on the machine does not decide. */
function bestMilliseconds(runs: number, work: () => void): number {
  return Math.min(
    ...Array.from({ length: runs }, () => {
      const begin = process.cpuUsage();
      work();
      return process.cpuUsage(begin).user / 1_000;
    }),
  );
}

/** What every detector promises, tried on its own cases. */
export function describeDetectorContract(detector: Detector, cases: DetectorCases): void {
  describe(`${detector.name} finds`, () => {
    test.each(cases.finds.map(([text, values]) => ({ text, values })))('$values', ({ text, values }) => {
      expect(valuesFound(detector, text)).toEqual(values);
    });
  });

  describe(`${detector.name} leaves alone`, () => {
    test.each(cases.ignores.map((text) => ({ text })))('$text', ({ text }) => {
      expect(valuesFound(detector, text)).toEqual([]);
    });
  });

  describe(`${detector.name} keeps the contract`, () => {
    test('places are right behind astral and combining characters', () => {
      for (const [text, values] of cases.finds) expect(valuesFound(detector, ASTRAL + text)).toEqual(values);
    });

    test('the same text gives the same answer', () => {
      for (const [text] of cases.finds) expect(detector.find(text)).toEqual(detector.find(text));
    });

    test('finds are ordered, not empty and have a confidence', () => {
      for (const [text] of cases.finds) {
        for (const { start, end, confidence } of detector.find(text)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }
    });

    test('time grows with the length, not with its square', () => {
      for (const piece of cases.hostile) {
        const small = bestMilliseconds(3, () => detector.find(repeated(piece, 16_384)));
        const large = bestMilliseconds(3, () => detector.find(repeated(piece, 131_072)));
        // Eight times the text; quadratic work would take 64 times as long. The constant covers tiny times.
        expect({ piece, slow: large > 32 * small + 20 }).toEqual({ piece, slow: false });
      }
    });
  });
}
