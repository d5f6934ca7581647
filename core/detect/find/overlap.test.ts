import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import type { EntityType } from '#schemas/vocabulary.ts';
import type { Candidate } from './detector.ts';
import { betterOf, withoutOverlaps } from './overlap.ts';

const of = (entity: EntityType, start: number, end: number, confidence = 0.9): Candidate => ({
  code: 'PII_LEAK',
  entity,
  start,
  end,
  confidence,
});

const kept = (candidates: readonly Candidate[]): readonly Candidate[] => withoutOverlaps([...candidates]);

/** Reference implementation: repeatedly takes the best candidate that overlaps none taken before. */
function byTrying(candidates: readonly Candidate[]): Candidate[] {
  const taken: Candidate[] = [];
  let rest = [...candidates];
  while (rest.length > 0) {
    const best = rest.reduce(betterOf);
    taken.push(best);
    rest = rest.filter(({ start, end }) => end <= best.start || start >= best.end);
  }
  return taken.sort((a, b) => a.start - b.start);
}

const candidate = fc
  .tuple(
    fc.constantFrom<EntityType>('EMAIL', 'PHONE', 'API_KEY', 'PERSON', 'SSN'),
    fc.nat(200),
    fc.integer({ min: 1, max: 30 }),
    fc.constantFrom(0.5, 0.9),
  )
  .map(([entity, start, length, confidence]) => of(entity, start, start + length, confidence));
const unique = fc.uniqueArray(candidate, { maxLength: 60, selector: (one) => JSON.stringify(one) });

describe('of overlapping matches', () => {
  test('a string that merely looks random loses to a checked number, but a certain key wins', () => {
    const iban = of('IBAN', 0, 22);
    expect(kept([of('API_KEY', 0, 22, 0.79), iban])).toEqual([iban]);
    const key = of('API_KEY', 0, 22, 0.97);
    expect(kept([iban, key])).toEqual([key]);
  });

  test('the best are kept', () => {
    fc.assert(fc.property(unique, (all) => expect(kept(all)).toEqual(byTrying(all))));
  });

  test('a chain of thousands is cut, and the kept matches still never overlap', () => {
    const chain = Array.from({ length: 5_000 }, (_, i) =>
      of(i % 2 === 0 ? 'EMAIL' : 'PHONE', 3 * i, 3 * i + 4),
    );
    const result = kept(chain);
    expect(result.length).toBeGreaterThan(2_400);
    result.slice(1).forEach(({ start }, i) => {
      expect(start).toBeGreaterThanOrEqual(result[i]!.end);
    });
  });
});
