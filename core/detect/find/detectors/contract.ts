import { describe, expect, test } from '#jest';
import type { TextSource } from '../../read/texts.ts';
import { growsInProportion } from '../../testing/growth.ts';
import type { Candidate, SearchDetector, TermDetector } from '../detector.ts';
import { createTermSearch } from '../term-search.ts';

type LocalDetector = SearchDetector | TermDetector;

export interface DetectorCases {
  /** Texts with exactly the values to be found in them, in order. */
  readonly finds: readonly (readonly [string, readonly string[]])[];
  /** Texts that resemble a match, but contain none. */
  readonly ignores: readonly string[];
  /** Pieces that cause the detector the most work when repeated. */
  readonly hostile: readonly string[];
}

/** Emoji, a combining accent and a letter outside the basic plane, which have more code units than characters. */
const ASTRAL = '\u{1F600} e\u0301 \u{1D4D0} ';

function searchWith(detector: LocalDetector, text: string, source: TextSource): Candidate[] {
  if ('search' in detector) return [...detector.search(text)];
  const found: Candidate[] = [];
  createTermSearch([detector])(text, source, (_detector, candidate) => found.push(candidate));
  return found;
}

/** The source that a detector is tested with: the first one that it applies to. */
const usualSource = ({ sources }: LocalDetector): TextSource => sources?.[0] ?? 'prompt';

/** A detector's matches in a text, ordered by offset. */
export const matchesIn = (
  detector: LocalDetector,
  text: string,
  source = usualSource(detector),
): Candidate[] => searchWith(detector, text, source).sort((a, b) => a.start - b.start || a.end - b.end);

export function valuesFound(detector: LocalDetector, text: string): string[] {
  return matchesIn(detector, text).map(({ start, end }) => text.slice(start, end));
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** Tests the promises of every detector with the given cases. */
export function describeDetectorContract(detector: LocalDetector, cases: DetectorCases): void {
  describe(`${detector.name} finds`, () => {
    test.each(cases.finds.map(([text, values]) => ({ text, values })))('$values', ({ text, values }) => {
      expect(valuesFound(detector, text)).toEqual(values);
    });
  });

  describe(`${detector.name} ignores`, () => {
    test.each(cases.ignores.map((text) => ({ text })))('$text', ({ text }) => {
      expect(valuesFound(detector, text)).toEqual([]);
    });
  });

  describe(`${detector.name} keeps the contract`, () => {
    test('offsets are correct after astral and combining characters', () => {
      for (const [text, values] of cases.finds) expect(valuesFound(detector, ASTRAL + text)).toEqual(values);
    });

    test('the same text gives the same matches', () => {
      for (const [text] of cases.finds) expect(matchesIn(detector, text)).toEqual(matchesIn(detector, text));
    });

    test('matches are not empty and have a confidence', () => {
      for (const [text] of cases.finds) {
        for (const { start, end, confidence } of matchesIn(detector, text)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }
    });

    test('takes time linear in the length', () => {
      for (const piece of cases.hostile) {
        const inProportion = growsInProportion((length) => matchesIn(detector, repeated(piece, length)));
        expect({ piece, inProportion }).toEqual({ piece, inProportion: true });
      }
    });
  });
}
