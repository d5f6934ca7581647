import { sandboxVersions } from '../../../platform/directory/sandbox-versions.ts';
import { openKeyring } from '../../../platform/sealing/keyring.ts';
import { STREAM_LIMITS } from '../../../platform/stream/options.ts';
import { parseFaults } from '../../../services/analyzer/faults.ts';
import { createAnalyzer } from '../../../services/analyzer/pipeline.ts';
import { runAnalyzer } from '../../../services/analyzer/run-analyzer.ts';
import { logOfProcess } from '../parts/log-of-process.ts';
import { stateOfProcess } from '../parts/state-of-process.ts';
import type { NodeParts, RunningNode } from './node.ts';

/** Small, so that a run of some dozen records can reach them. */
const DEAD_LETTERS = { window: 20, maxInWindow: 6, maxInARow: 4, maxPerCustomer: 3 };

/** As `services/analyzer/main.ts` starts it. */
export async function startAnalyzerNode(parts: NodeParts): Promise<RunningNode> {
  const { process, network, random, masterKey, codec, logger } = parts;
  const state = stateOfProcess(parts.state, network, process);
  const now = () => process.now();
  const analyzer = createAnalyzer({
    codec,
    keyring: openKeyring({ state, masterKey, now, randomBytes: random.bytes }),
    sandboxVersions: sandboxVersions(state.documents),
    now,
    clock: () => performance.now(),
    randomBytes: random.bytes,
    faults: parseFaults(parts.faultSpec),
  });
  const stream = await runAnalyzer({
    log: logOfProcess({ log: parts.log, network, process, random }),
    state,
    analyzer,
    crashPoint: parts.crashPoint,
    logger,
    now,
    limits: {
      deadLetters: DEAD_LETTERS,
      progressCheckMs: 30_000,
      backoff: { ...STREAM_LIMITS.backoff, random: random.next },
    },
    onStopped: parts.onStopped,
  });
  return { stop: stream.stop, stopped: () => stream.health().stoppedPartitions };
}
