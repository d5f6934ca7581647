import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { FRAMEWORKS } from '#schemas/vocabulary.ts';
import { floorDays } from './floors.ts';
import { floorOf, type NamedSandbox, type RetentionRule, reaches, winningPolicy } from './policies.ts';
import { compressedRanges } from './ranges.ts';

const rule: fc.Arbitrary<RetentionRule> = fc.record({
  id: fc.uuid(),
  framework: fc.option(fc.constantFrom(...FRAMEWORKS)),
  sandboxId: fc.option(fc.constantFrom('a', 'b')),
  retentionDays: fc.integer({ min: 1, max: 4 }),
  action: fc.constantFrom('DELETE', 'ANONYMIZE'),
  legalHold: fc.boolean(),
  active: fc.boolean(),
});
const sandbox: fc.Arbitrary<NamedSandbox> = fc.record({
  sandboxId: fc.constantFrom('a', 'b'),
  frameworks: fc.subarray([...FRAMEWORKS, 'OTHER']),
});

describe('the deciding policy', () => {
  test('is active, covers the sandbox, is not a hold, and keeps at least as long and as much as any other', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), sandbox, (rules, of) => {
        const candidates = rules.filter((one) => one.active && !one.legalHold && reaches(one, of));
        const winner = winningPolicy(rules, of);
        expect(winner === null).toBe(candidates.length === 0);
        if (winner === null) return;
        expect(candidates).toContain(winner);
        for (const other of candidates) {
          expect(other.retentionDays).toBeLessThanOrEqual(winner.retentionDays);
          if (other.retentionDays === winner.retentionDays && other.action === 'ANONYMIZE')
            expect(winner.action).toBe('ANONYMIZE');
        }
      }),
    );
  });

  test('does not depend on the order of policies', () => {
    fc.assert(
      fc.property(fc.uniqueArray(rule, { selector: ({ id }) => id, maxLength: 6 }), sandbox, (rules, of) => {
        const winner = winningPolicy(rules, of);
        expect(winningPolicy([...rules].reverse(), of)).toBe(winner);
      }),
    );
  });

  test('never keeps less because of another policy', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), rule, sandbox, (rules, more, of) => {
        const before = winningPolicy(rules, of)?.retentionDays ?? 0;
        expect(winningPolicy([...rules, more], of)?.retentionDays ?? 0).toBeGreaterThanOrEqual(before);
        expect(floorOf([...rules, more], of)).toBeGreaterThanOrEqual(floorOf(rules, of));
      }),
    );
  });
});

test('the floor is that of the strictest framework', () => {
  expect(FRAMEWORKS.map((framework) => [framework, floorDays(framework)])).toEqual([
    ['GDPR', 0],
    ['SOC2', 0],
    ['ISO27001', 0],
    ['HIPAA', 2_190],
    ['CCPA', 0],
    ['EU_AI_ACT', 183],
    ['PCI_DSS', 365],
  ]);
  expect(floorDays(null)).toBe(0);
});

test('indexes become the same indexes as the fewest possible ranges', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 60 })), (indexes) => {
      const ranges = compressedRanges(indexes);
      const expanded = ranges.flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, n) => from + n),
      );
      expect(expanded).toEqual([...new Set(indexes)].sort((a, b) => a - b));
      for (const [n, [from]] of ranges.entries())
        if (n > 0) expect(from).toBeGreaterThan(ranges[n - 1]![1] + 1);
    }),
  );
});
