import { describe, expect, test } from '#jest';
import { LOOKS, obfuscateValues } from '../evaluation/obfuscations.ts';
import { addScores, compareSpans, fMeasure, precisionOf, recallOf } from './spans.ts';

const span = (start: number, end: number, type = 'PHONE') => ({ type, start, end });

describe('spans', () => {
  test('match if they share half of their characters, and each label matches once', () => {
    const labels = [span(0, 10), span(20, 30)];
    expect(compareSpans(labels, [span(0, 10), span(1, 10), span(25, 40)], 'PHONE')).toEqual({
      hits: 1,
      missed: 1,
      wrong: 2,
    });
    expect(compareSpans(labels, [span(0, 10, 'SSN')], 'PHONE')).toEqual({ hits: 0, missed: 2, wrong: 0 });
  });

  test('are scored', () => {
    const score = addScores([
      { hits: 6, missed: 2, wrong: 0 },
      { hits: 2, missed: 0, wrong: 2 },
    ]);
    expect([precisionOf(score), recallOf(score), fMeasure(score)]).toEqual([0.8, 0.8, 0.8]);
    expect(fMeasure({ hits: 8, missed: 0, wrong: 8 }, 2)).toBeCloseTo(0.833, 3);
    expect(fMeasure({ hits: 0, missed: 0, wrong: 0 })).toBe(1);
  });
});

test('labels move with values that are rewritten', () => {
  const text = 'Card 4111, mail a@b.co, end';
  const spans = [span(16, 22, 'EMAIL'), span(5, 9, 'CREDIT_CARD')];
  for (const obfuscation of LOOKS) {
    const changed = obfuscateValues({ text, spans }, obfuscation);
    const values = changed.spans.map(({ start, end }) => changed.text.slice(start, end));
    expect(values).toEqual([obfuscation.apply('4111'), obfuscation.apply('a@b.co')]);
    expect(changed.text.startsWith('Card ')).toBe(true);
    expect(changed.text.endsWith(', end')).toBe(true);
  }
});
