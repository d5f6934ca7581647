import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { CHECK_OUTCOMES, CONTROL_STATUSES } from '#schemas/vocabulary.ts';
import { coverage } from './attest.ts';
import { combined } from './checks.ts';
import { statusOf } from './status.ts';

const result = fc.record({ outcome: fc.constantFrom(...CHECK_OUTCOMES), reason: fc.constant('as it is') });
const mapped = fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50)).map(([low, high, addressed]) => ({
  signals: low + high,
  high,
  incidents: { highAddressed: Math.min(high, addressed) },
}));
const checks = fc.array(result, { maxLength: 4 });

describe('the status of a control', () => {
  test('is NO_EVIDENCE without a signal in scope, regardless of anything else', () => {
    fc.assert(
      fc.property(fc.option(mapped), checks, (facts, results) => {
        expect(statusOf(0, facts, combined(results)).status).toBe('NO_EVIDENCE');
      }),
    );
  });

  test('follows from the counts, the checks and the incidents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.option(mapped), checks, (signals, facts, results) => {
        const { status, reason } = statusOf(signals, facts, combined(results));
        const fails = results.some(({ outcome }) => outcome === 'FAIL');
        const isUnknown = results.some(({ outcome }) => outcome === 'NO_EVIDENCE');
        const hasUnaddressed = facts !== null && facts.high > facts.incidents.highAddressed;
        const hasViolations = facts !== null && facts.signals > 0;
        expect(status === 'OPEN').toBe(fails || hasUnaddressed);
        expect(status === 'ADDRESSED').toBe(!fails && !hasUnaddressed && hasViolations);
        expect(status === 'CLEAR').toBe(!fails && !isUnknown && !hasViolations);
        expect(reason).not.toBe('');
      }),
    );
  });

  test('never improves with another violation or a failed check', () => {
    const rank = (status: string): number => ['CLEAR', 'ADDRESSED', 'OPEN'].indexOf(status);
    fc.assert(
      fc.property(mapped, checks, (facts, results) => {
        const check = combined(results);
        const before = rank(statusOf(9, facts, check).status);
        const worse = { ...facts, signals: facts.signals + 1, high: facts.high + 1 };
        expect(rank(statusOf(9, worse, check).status)).toBeGreaterThanOrEqual(before);
        const failed = combined([...results, { outcome: 'FAIL', reason: 'no' }]);
        expect(statusOf(9, facts, failed).status).toBe('OPEN');
      }),
    );
  });
});

test('coverage counts every control once, and names those without evidence', () => {
  const one = fc.record({
    controlId: fc.string(),
    status: fc.constantFrom(...CONTROL_STATUSES),
    reason: fc.constant('so'),
  });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1 }), (attested) => {
      const { totalControls, controlsWithEvidence, coveragePercent, byStatus, gaps } = coverage(attested);
      expect(totalControls).toBe(attested.length);
      expect(Object.values(byStatus).reduce((sum, count) => sum + count, 0)).toBe(totalControls);
      expect(gaps).toHaveLength(byStatus.NO_EVIDENCE);
      expect(controlsWithEvidence).toBe(totalControls - gaps.length);
      expect(coveragePercent).toBeCloseTo((100 * controlsWithEvidence) / totalControls, 1);
    }),
  );
});
