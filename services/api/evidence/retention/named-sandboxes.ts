import type { NamedSandbox } from '#core/evidence/retention/policies.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { namedFrameworks } from '#platform/warehouse/queries/evidence/retention.ts';
import type { Directory } from '#records/directory.ts';

/** All that a sandbox has ever named: from the ledger, and from its current version, which may not be folded yet. */
type Sandboxes = (sandboxId: string) => Promise<NamedSandbox>;

export async function namedSandboxes(
  { warehouse, directory }: { readonly warehouse: Warehouse; readonly directory: Directory },
  customerId: string,
): Promise<Sandboxes> {
  const folded = new Map(
    (await namedFrameworks(warehouse, customerId)).map(({ sandboxId, frameworks }) => [
      sandboxId,
      frameworks,
    ]),
  );
  return async (sandboxId) => {
    const today = await directory.sandboxById(customerId, sandboxId);
    return { sandboxId, frameworks: [...(folded.get(sandboxId) ?? []), ...(today?.regulations ?? [])] };
  };
}
