import type { Warehouse } from '../port.ts';
import { REQUEST_SECONDS } from './select-list.ts';

/** A version of a sandbox as stored in the ledger: JSON of its core and its detail. */
interface FoldedSandboxVersion {
  readonly at: string;
  readonly core: string;
  readonly detail: string;
}

/** POLICY_EVENTs with these ids whose content is stored, in ledger order. */
export const foldedSandboxVersions = (
  warehouse: Warehouse,
  customerId: string,
  ids: readonly string[],
): Promise<FoldedSandboxVersion[]> =>
  warehouse.query<FoldedSandboxVersion>(
    `SELECT at, core, detail FROM entries FINAL
     WHERE customerId = {customerId:String} AND kind = 'POLICY_EVENT' AND id IN {ids:Array(String)}
       AND erased = '' AND core IS NOT NULL AND detail IS NOT NULL
     ORDER BY \`index\``,
    { customerId, ids: [...ids] },
    { maxExecutionSeconds: REQUEST_SECONDS },
  );
