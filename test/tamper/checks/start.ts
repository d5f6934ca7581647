import type { EventLog } from '#platform/event-log/port.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import { refuseChangedState } from '#records/comparison/changed-state.ts';
import { watchLedger } from '#records/comparison/ledger-watch.ts';
import { refuseOlderState } from '#records/comparison/older-state.ts';
import { agreeOnEpoch } from '#records/epoch/epoch.ts';
import { PARTITIONS } from '#schemas/topics.ts';
import { checkPositions } from '#services/sink/main.ts';
import type { World } from '../world/world.ts';
import { type Check, SOMETHING } from './check.ts';

const EPOCH = 1;

/** The tests' log has no consumer groups: the sink's groups have committed nothing, as after a restore. */
function storesOf({ harness }: World) {
  const { dependencies } = harness;
  const lag: EventLog['lag'] = async (group, topics) =>
    topics.flatMap((topic) =>
      Array.from({ length: PARTITIONS }, (_, partition) => ({
        group,
        topic,
        partition,
        committed: null,
        end: 0,
        lag: 0,
      })),
    );
  return { ...dependencies, log: { ...harness.log, lag } as unknown as EventLog };
}

/** Comparisons at a start, before any request is accepted; they are repeated every hour. */
export const start: Check = async ({ world }) => {
  const stores = storesOf(world);
  try {
    await agreeOnEpoch({ ...stores, newId: () => 'no' }, { initialise: false });
    await checkPositions(stores as never, EPOCH, { isOneFile: true });
    await refuseOlderState(stores);
    const keyring = stores.keyring as Keyring;
    await refuseChangedState({ ...stores, seals: keyring.documentSeals });
    await keyring.verify();
    return null;
  } catch {
    return SOMETHING;
  }
};

/** What readiness reports in addition to the servers' health, without a comparison. */
export const readiness: Check = async ({ world }) => {
  const stores = storesOf(world);
  const watch = watchLedger({ ...stores, comparedAt: stores.state.connections() });
  try {
    const { ok, message } = await watch.check();
    await (stores.keyring as Keyring).verify();
    return ok && message === undefined ? null : SOMETHING;
  } catch {
    return SOMETHING;
  } finally {
    watch.stop();
  }
};
