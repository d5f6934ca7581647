import { faultsInSteps } from '#core/detect/find/custom-rules.ts';
import { networkOf } from '#core/detect/judge/settings/addresses.ts';
import { faultsOfPatterns } from '#core/detect/judge/settings/allowed-patterns.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import { runSteps, type YieldTurn } from '#platform/flow/time-slice.ts';
import type { SandboxChange } from '#schemas/api/sandboxes.ts';

type Checked = Pick<SandboxChange, 'customRules' | 'allowedCidrs' | 'allowedPatterns'>;

interface ListFault {
  readonly index: number;
  readonly message: string;
}

const NOT_A_NETWORK = 'must be a network such as 203.0.113.0/24 or 2001:db8::/32';

/** Rejects a rule, pattern or network that could never match: 400 with its path. */
export async function checkSettings(
  { customRules = [], allowedCidrs = [], allowedPatterns = [] }: Checked,
  yieldTurn: YieldTurn,
): Promise<void> {
  const networks = allowedCidrs.flatMap((cidr, index): ListFault[] =>
    networkOf(cidr) === null ? [{ index, message: NOT_A_NETWORK }] : [],
  );
  const faults = [
    ...placed('customRules', await runSteps(faultsInSteps(customRules), yieldTurn)),
    ...placed('allowedCidrs', networks),
    ...placed('allowedPatterns', await runSteps(faultsOfPatterns(allowedPatterns), yieldTurn)),
  ];
  const [first] = faults;
  if (first === undefined) return;
  throw new Refusal('INVALID_REQUEST', { message: `${first.path}: ${first.message}`, details: faults });
}

const placed = (field: string, faults: readonly ListFault[]) =>
  faults.map(({ index, message }) => ({ path: `${field}.${index}`, message }));
