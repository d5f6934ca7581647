import { openKeyring } from '#platform/sealing/keyring.ts';
import { STREAM_LIMITS } from '#platform/stream/options.ts';
import { runPolicies } from '#services/correlator/policies/run-policies.ts';
import { entryMaker } from '#services/customers/entry-maker.ts';
import { logOfProcess } from '../dependencies/log-of-process.ts';
import { stateOfProcess } from '../dependencies/state-of-process.ts';
import { warehouseOfProcess } from '../dependencies/warehouse.ts';
import type { NodeDependencies, RunningNode } from './node.ts';

/** As `services/correlator/main.ts` starts it. */
export async function startCorrelatorNode(dependencies: NodeDependencies): Promise<RunningNode> {
  const { process, network, random, masterKey, codec, logger, epoch } = dependencies;
  const state = stateOfProcess(dependencies.state, network, process);
  const now = () => process.now();
  const keyring = openKeyring({ state, masterKey, now, randomBytes: random.bytes });
  const stream = await runPolicies({
    log: logOfProcess({ log: dependencies.log, network, process, random }),
    state,
    warehouse: warehouseOfProcess(dependencies.store, network, process),
    codec,
    makeEntry: entryMaker({ keyring, codec, randomBytes: random.bytes }),
    epochNow: async () => epoch,
    now,
    logger,
    crashPoint: dependencies.crashPoint,
    limits: {
      progressCheckMs: 30_000,
      backoff: { ...STREAM_LIMITS.backoff, random: random.next },
    },
    onStopped: dependencies.onStopped,
  });
  return { stop: stream.stop, stopped: () => stream.health().stoppedPartitions };
}
