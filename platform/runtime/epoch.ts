import { TOPICS } from '../../schemas/topics.ts';
import type { EventLog } from '../event-log/port.ts';
import { type State, SYSTEM_SCOPE } from '../state/port.ts';
import type { Warehouse } from '../warehouse/port.ts';
import { storeWarehouseEpoch, warehouseEpoch } from '../warehouse/queries/epochs.ts';

const EPOCH = { scope: SYSTEM_SCOPE, collection: 'meta', id: 'logEpoch' } as const;

/** Log, state and warehouse do not belong together. Starting would lose or double records, so nothing starts. */
export class PartsDisagree extends Error {
  constructor(what: string) {
    super(
      `${what} Nothing was started and nothing was changed. Restore the missing part from its backup; or, when what it held may be given up, tell the service to go on with "cas migrate --new-epoch".`,
    );
    this.name = 'PartsDisagree';
  }
}

export type EpochDecision =
  | { readonly epoch: number; readonly initialise: boolean }
  | { readonly refused: string };

/** Pure part of `agreeOnEpoch`: null means that a part holds no epoch; `logEmpty`: no topic ever took a record. */
export function decideEpoch(
  state: number | null,
  warehouse: number | null,
  logEmpty: boolean,
): EpochDecision {
  if (state !== null && state === warehouse) return { epoch: state, initialise: false };
  // The first start writes the state first: a crash in between leaves the state ahead of an empty log and warehouse.
  if (warehouse === null && logEmpty && (state === null || state === 1))
    return { epoch: 1, initialise: true };
  if (state === null && warehouse === null) {
    return { refused: 'The log holds records, but state and warehouse are empty: they were lost or moved.' };
  }
  if (state === null) {
    return {
      refused: `The warehouse belongs to log epoch ${warehouse}, but the state is empty: it was lost or moved.`,
    };
  }
  if (warehouse === null) {
    return {
      refused: `The state belongs to log epoch ${state}, but the warehouse is empty: it was lost or moved.`,
    };
  }
  return {
    refused: `The state says log epoch ${state}, the warehouse ${warehouse}: they do not belong together.`,
  };
}

async function logIsEmpty(log: EventLog): Promise<boolean> {
  for (const topic of TOPICS) {
    for (let partition = 0; partition < topic.partitions; partition += 1) {
      if ((await log.bounds(topic.name, partition)).end > 0) return false;
    }
  }
  return true;
}

export interface EpochParts {
  readonly log: EventLog;
  readonly state: State;
  readonly warehouse: Warehouse;
  readonly now: () => number;
}

async function storeEpoch({ state, warehouse, now }: EpochParts, epoch: number): Promise<void> {
  await state.documents.write(EPOCH.scope, [
    { collection: EPOCH.collection, id: EPOCH.id, value: { epoch } },
  ]);
  await storeWarehouseEpoch(warehouse, epoch, now());
}

const stateEpoch = async (state: State): Promise<number | null> =>
  (await state.documents.get<{ epoch: number }>(EPOCH))?.value.epoch ?? null;

/** The epoch that state and warehouse agree on; sets 1 on parts that are all new. Throws `PartsDisagree`. */
export async function agreeOnEpoch(parts: EpochParts): Promise<number> {
  const decision = decideEpoch(
    await stateEpoch(parts.state),
    await warehouseEpoch(parts.warehouse),
    await logIsEmpty(parts.log),
  );
  if ('refused' in decision) throw new PartsDisagree(decision.refused);
  if (decision.initialise) await storeEpoch(parts, decision.epoch);
  return decision.epoch;
}

/** Begins a new epoch, above any that either part knows. The caller has made sure that nothing else runs. */
export async function beginNewEpoch(parts: EpochParts): Promise<number> {
  const epoch =
    Math.max((await stateEpoch(parts.state)) ?? 0, (await warehouseEpoch(parts.warehouse)) ?? 0) + 1;
  await storeEpoch(parts, epoch);
  return epoch;
}
