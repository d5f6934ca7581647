import type { ControlStatus } from '#schemas/vocabulary.ts';
import type { CheckResult } from './checks.ts';
import type { MappedFacts } from './facts.ts';

interface Judgement {
  readonly status: ControlStatus;
  readonly reason: string;
}

const signals = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

type Mapped = Pick<MappedFacts, 'signals' | 'high'> & {
  readonly incidents: Pick<MappedFacts['incidents'], 'highAddressed'>;
};

/**
 * Status of a control. `mapped`: signals that count against it, null if none can; `check`: its combined checks, null if
 * it names none. A failed check outweighs everything; one without evidence prevents CLEAR.
 */
export function statusOf(
  signalsInScope: number,
  mapped: Mapped | null,
  check: CheckResult | null,
): Judgement {
  if (signalsInScope === 0) return { status: 'NO_EVIDENCE', reason: 'No signals in scope' };
  if (check?.outcome === 'FAIL') return { status: 'OPEN', reason: check.reason };
  const violations = mapped?.signals ?? 0;
  const unaddressed = (mapped?.high ?? 0) - (mapped?.incidents.highAddressed ?? 0);
  if (unaddressed > 0)
    return {
      status: 'OPEN',
      reason: `${signals(unaddressed, 'High or Critical signal')} without a resolved or dismissed incident`,
    };
  if (violations > 0)
    return {
      status: 'ADDRESSED',
      reason: `${signals(violations, 'violating signal')}; High and Critical ones are all resolved or dismissed`,
    };
  if (check?.outcome === 'NO_EVIDENCE') return { status: 'NO_EVIDENCE', reason: check.reason };
  return { status: 'CLEAR', reason: check?.reason ?? 'No violations' };
}
