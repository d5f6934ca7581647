import { openKeyring } from '#platform/sealing/keyring.ts';
import { STREAM_LIMITS } from '#platform/stream/options.ts';
import { parseFaults } from '#services/analyzer/faults.ts';
import { createAnalyzer } from '#services/analyzer/pipeline.ts';
import { runAnalyzer } from '#services/analyzer/run-analyzer.ts';
import { sandboxVersions } from '#services/customers/sandboxes/sandbox-versions.ts';
import { createDetection } from '#services/detection/detection.ts';
import { logOfProcess } from '../dependencies/log-of-process.ts';
import { stateOfProcess } from '../dependencies/state-of-process.ts';
import type { NodeDependencies, RunningNode } from './node.ts';

/** Small, so that a run of some dozen records can reach them. */
const DEAD_LETTERS = { window: 20, maxInWindow: 6, maxInARow: 4, maxPerCustomer: 3 };

/** As `services/analyzer/main.ts` starts it. */
export async function startAnalyzerNode(dependencies: NodeDependencies): Promise<RunningNode> {
  const { process, network, random, masterKey, codec, logger } = dependencies;
  const state = stateOfProcess(dependencies.state, network, process);
  const now = () => process.now();
  const analyzer = createAnalyzer({
    codec,
    keyring: openKeyring({ state, masterKey, now, randomBytes: random.bytes }),
    sandboxVersions: sandboxVersions(state.documents),
    detection: createDetection({ tasks: null, clock: () => performance.now() }),
    now,
    clock: () => performance.now(),
    randomBytes: random.bytes,
    faults: parseFaults(dependencies.faultSpec),
  });
  const stream = await runAnalyzer({
    log: logOfProcess({ log: dependencies.log, network, process, random }),
    state,
    analyzer,
    crashPoint: dependencies.crashPoint,
    logger,
    now,
    limits: {
      deadLetters: DEAD_LETTERS,
      progressCheckMs: 30_000,
      backoff: { ...STREAM_LIMITS.backoff, random: random.next },
    },
    onStopped: dependencies.onStopped,
  });
  return { stop: stream.stop, stopped: () => stream.health().stoppedPartitions };
}
