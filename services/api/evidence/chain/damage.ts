import type { EventLog } from '#platform/event-log/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { warehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { firstPosition } from '#platform/warehouse/queries/folded.ts';
import { partitionOfCustomer } from '#records/ledger/folded.ts';
import type { DamagedRange } from '#schemas/api/damage.ts';
import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';
import { LEDGER } from '#schemas/topics.ts';
import { orNull } from './damaged-range.ts';
import type { LedgerPasses } from './pass.ts';

export interface DamageDependencies {
  readonly warehouse: Warehouse;
  readonly log: Pick<EventLog, 'bounds'>;
  readonly passes: LedgerPasses;
}

/** The part of a customer's ledger lost in the warehouse, and whether the log still holds it. */
export async function listDamage(
  { warehouse, log, passes }: DamageDependencies,
  customerId: string,
  gone: AbortSignal,
): Promise<DamagedRange[]> {
  const { errors } = await passes.run({ customerId, from: 0, to: null }, { gone });
  const lost = errors.filter(({ reason }) => reason === 'DAMAGED' || reason === 'MISSING');
  const partition = partitionOfCustomer(customerId);
  const { start } = await log.bounds(LEDGER.name, partition);
  const epoch = (await warehouseEpoch(warehouse))?.epoch ?? null;
  const shown = async ({ reason, index, toIndex = index }: ChainFault): Promise<DamagedRange> => {
    const first = await orNull(firstPosition(warehouse, customerId, index, toIndex));
    const isKnown = first !== null && first.epoch === epoch;
    return {
      reason,
      fromIndex: index,
      toIndex,
      partition,
      fromOffset: isKnown ? first.offset : null,
      isInLog: isKnown ? first.offset >= start : null,
    };
  };
  const ranges: DamagedRange[] = [];
  for (const fault of lost) ranges.push(await shown(fault));
  return ranges;
}
