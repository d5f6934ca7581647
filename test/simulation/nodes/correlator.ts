import { openKeyring } from '#platform/sealing/keyring.ts';
import { STREAM_LIMITS } from '#platform/stream/partition/options.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { runPatterns } from '#services/correlator/patterns/run-patterns.ts';
import { runPolicies } from '#services/correlator/policies/run-policies.ts';
import { logOfProcess } from '../dependencies/log-of-process.ts';
import { stateOfProcess } from '../dependencies/state-of-process.ts';
import { warehouseOfProcess } from '../dependencies/warehouse.ts';
import type { NodeDependencies, RunningNode } from './node.ts';

/** Room for the patterns of a few customers, so that they are saved, evicted and read again. */
const MAX_BYTES = 200_000;
/** More often than in production: runs are short. */
const COMMIT_EVERY_MS = 5_000;

/** Started as in `services/correlator/main.ts`. */
export async function startCorrelatorNode(dependencies: NodeDependencies): Promise<RunningNode> {
  const { process, network, random, masterKey, codec, logger, epoch, onStopped } = dependencies;
  const state = stateOfProcess(dependencies.state, network, process);
  const now = () => process.now();
  const keyring = openKeyring({ state, masterKey, now, randomBytes: random.bytes });
  const shared = {
    log: logOfProcess({ log: dependencies.log, network, process, random }),
    state,
    warehouse: warehouseOfProcess(dependencies.store, network, process),
    codec,
    epochNow: async () => epoch,
    now,
    logger,
    onStopped,
  };
  const limits = { progressCheckMs: 30_000, backoff: { ...STREAM_LIMITS.backoff, random: random.next } };
  const policies = await runPolicies({
    ...shared,
    makeEntry: entryMaker({ keyring, codec, randomBytes: random.bytes }),
    limits,
  });
  const patterns = await runPatterns({
    ...shared,
    maxBytes: MAX_BYTES,
    limits: { ...limits, commitEveryMs: COMMIT_EVERY_MS },
  });
  const streams = [policies, patterns];
  return {
    stop: async () => {
      await Promise.all(streams.map((stream) => stream.stop()));
    },
    stopped: () => streams.flatMap((stream) => stream.health().stoppedPartitions),
  };
}
