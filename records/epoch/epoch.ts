import type { EventLog } from '#platform/event-log/port.ts';
import { META, type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { storeWarehouseEpoch, warehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import { TOPICS } from '#schemas/topics.ts';
import { refuseWhileServicesRun } from './services-run.ts';

const EPOCH = { scope: SYSTEM_SCOPE, collection: META, id: 'logEpoch' } as const;

/**
 * Log, state and warehouse do not belong together. Starting would lose or duplicate records, so the start is refused.
 */
class StoresDisagree extends Error {
  constructor(what: string) {
    super(
      `${what} Nothing was started or changed. Restore the missing data from its backup; or, to accept the loss, run "cas migrate --new-epoch".`,
    );
    this.name = 'StoresDisagree';
  }
}

/** Identifies the log from which state and warehouse were filled. `setUp` is generated once, when all three are new. */
interface LogEpoch {
  /** Starts at 1; raised only by `cas migrate --new-epoch`. */
  readonly epoch: number;
  readonly setUp: string;
}

type EpochDecision = { readonly epoch: number; readonly initialise: boolean } | { readonly refused: string };

/** The decision of `agreeOnEpoch`. null: the store has no epoch; `logEmpty`: no topic ever had a record. */
export function decideEpoch(
  state: LogEpoch | null,
  warehouse: LogEpoch | null,
  logEmpty: boolean,
): EpochDecision {
  // The first start writes the state first: a crash in between leaves the state ahead of an empty log and warehouse.
  if (warehouse === null && logEmpty && (state === null || state.epoch === 1))
    return { epoch: 1, initialise: true };
  if (state === null && warehouse === null) {
    return { refused: 'The log holds records, but state and warehouse are empty: they were lost or moved.' };
  }
  if (state === null) {
    return { refused: 'The warehouse belongs to a log, but the state is empty: it was lost or moved.' };
  }
  if (warehouse === null) {
    return { refused: 'The state belongs to a log, but the warehouse is empty: it was lost or moved.' };
  }
  if (state.setUp !== warehouse.setUp) {
    return { refused: 'State and warehouse belong to different installations.' };
  }
  if (state.epoch !== warehouse.epoch) {
    return { refused: `The state says log epoch ${state.epoch}, the warehouse ${warehouse.epoch}.` };
  }
  return { epoch: state.epoch, initialise: false };
}

async function logIsEmpty(log: EventLog): Promise<boolean> {
  for (const topic of TOPICS) {
    for (let partition = 0; partition < topic.partitions; partition += 1) {
      if ((await log.bounds(topic.name, partition)).end > 0) return false;
    }
  }
  return true;
}

export interface EpochStores {
  readonly log: EventLog;
  readonly state: State;
  readonly warehouse: Warehouse;
  readonly now: () => number;
  readonly newId: () => string;
}

const storeStateEpoch = (state: State, value: LogEpoch): Promise<unknown> =>
  state.documents.write(EPOCH.scope, [{ collection: EPOCH.collection, id: EPOCH.id, value }]);

export const stateEpoch = async (state: Pick<State, 'documents'>): Promise<LogEpoch | null> =>
  (await state.documents.get<LogEpoch>(EPOCH))?.value ?? null;

/**
 * The epoch on which state and warehouse agree. When all three stores are new, `initialise` sets it to 1; otherwise
 * they are not ready for use. Throws `StoresDisagree`.
 */
export async function agreeOnEpoch(
  stores: EpochStores,
  { initialise }: { readonly initialise: boolean },
): Promise<number> {
  const state = await stateEpoch(stores.state);
  const warehouse = await warehouseEpoch(stores.warehouse);
  const decision = decideEpoch(state, warehouse, warehouse === null && (await logIsEmpty(stores.log)));
  if ('refused' in decision) throw new StoresDisagree(decision.refused);
  if (decision.initialise && !initialise)
    throw new Error(
      'event log, state and warehouse are empty; run "cas migrate" once, then start the services',
    );
  if (decision.initialise) {
    const value = { epoch: 1, setUp: state?.setUp ?? stores.newId() };
    await storeStateEpoch(stores.state, value);
    await storeWarehouseEpoch(stores.warehouse, value, stores.now());
  }
  return decision.epoch;
}

/**
 * Starts a new epoch, above any known to either store. Rejects with `ServicesRun` while one of the consumer groups has
 * members: otherwise rows of two epochs for the same records would be written concurrently. `prepare` stores what the
 * warehouse needs for the new epoch. The state is written first and the warehouse's epoch last: after a crash in
 * between the two differ, the start is refused, and a retry starts yet another epoch from scratch.
 *
 * A service that compared the epochs before the state was written may join its group after the first check; the second
 * one finds it. One that joins even later finds the warehouse's new epoch: a sink compares it with its own when it is
 * assigned a partition and before each flush.
 */
export async function startNewEpoch(
  stores: EpochStores,
  groups: readonly string[],
  prepare: (epoch: number) => Promise<void>,
): Promise<number> {
  const refuse = (what: string): Promise<void> =>
    refuseWhileServicesRun(stores.log, groups, 'a new epoch starts', what);
  await refuse('Nothing was changed.');
  const state = await stateEpoch(stores.state);
  const warehouse = await warehouseEpoch(stores.warehouse);
  const value = { epoch: Math.max(state?.epoch ?? 0, warehouse?.epoch ?? 0) + 1, setUp: stores.newId() };
  await storeStateEpoch(stores.state, value);
  await refuse('Services start only after the command has finished.');
  await prepare(value.epoch);
  await storeWarehouseEpoch(stores.warehouse, value, stores.now());
  return value.epoch;
}
