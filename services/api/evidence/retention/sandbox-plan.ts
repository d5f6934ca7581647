import { type NamedSandbox, type Reach, reaches, winningPolicy } from '#core/evidence/retention/policies.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { Directory } from '#records/directory.ts';
import type { RetentionPolicy } from '#records/retention/policy-record.ts';
import { namedSandboxes } from './named-sandboxes.ts';

/** What decides when a sandbox's signals expire; `held`: never. */
export interface PlannedSandbox {
  readonly sandboxId: string;
  readonly policy: RetentionPolicy;
  readonly held: boolean;
}

/** Every sandbox of the customer that a policy covers, including deleted ones, ordered by id. */
export async function planSandboxes(
  dependencies: { readonly warehouse: Warehouse; readonly directory: Directory },
  customerId: string,
  policies: readonly RetentionPolicy[],
  holds: readonly Reach[],
): Promise<PlannedSandbox[]> {
  if (policies.length === 0) return [];
  const named = await namedSandboxes(dependencies, customerId);
  const planned: PlannedSandbox[] = [];
  for (const sandboxId of await dependencies.directory.sandboxIds(customerId, true)) {
    const sandbox: NamedSandbox = await named(sandboxId);
    const policy = winningPolicy(policies, sandbox);
    if (policy === null) continue;
    planned.push({ sandboxId, policy, held: holds.some((hold) => reaches(hold, sandbox)) });
  }
  return planned;
}
