import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import type { EntityType } from '#schemas/vocabulary.ts';
import type { Candidate } from './detector.ts';
import { withoutOverlaps, worthier } from './overlap.ts';

const of = (entity: EntityType, start: number, end: number, confidence = 0.9): Candidate => ({
  code: 'PII_LEAK',
  entity,
  start,
  end,
  confidence,
});

const kept = (candidates: readonly Candidate[]): readonly Candidate[] => withoutOverlaps([...candidates]);

/** The best of all first, then the best of those that overlap none that was taken. */
function byTrying(candidates: readonly Candidate[]): Candidate[] {
  const taken: Candidate[] = [];
  let rest = [...candidates];
  while (rest.length > 0) {
    const best = rest.reduce(worthier);
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

describe('of readings that overlap', () => {
  test('a string that only looks drawn by chance gives way to a checked number, and a sure key does not', () => {
    const iban = of('IBAN', 0, 22);
    expect(kept([of('API_KEY', 0, 22, 0.79), iban])).toEqual([iban]);
    const key = of('API_KEY', 0, 22, 0.97);
    expect(kept([iban, key])).toEqual([key]);
  });

  test('the worthiest are kept', () => {
    fc.assert(fc.property(unique, (all) => expect(kept(all)).toEqual(byTrying(all))));
  });

  test('a chain of thousands is cut, and what is kept still never overlaps', () => {
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
