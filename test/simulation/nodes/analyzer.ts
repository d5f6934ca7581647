import { createDetection } from '#detection/detection.ts';
import { searchTasks } from '#detection/search-tasks.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { STREAM_LIMITS } from '#platform/stream/partition/options.ts';
import { TasksUnavailable } from '#platform/threads/task-errors.ts';
import type { Tasks } from '#platform/threads/task-pool.ts';
import { sandboxVersions } from '#records/sandboxes/sandbox-versions.ts';
import { createAnalyzer } from '#services/analyzer/pipeline.ts';
import { runAnalyzer } from '#services/analyzer/run-analyzer.ts';
import { failAnalyses } from '../../programs/fail-analyses.ts';
import { logOfProcess } from '../dependencies/log-of-process.ts';
import { stateOfProcess } from '../dependencies/state-of-process.ts';
import type { Random } from '../random.ts';
import type { NodeDependencies, RunningNode } from './node.ts';

const MAX_SEARCH_MS = 40;

/** Small enough for a run with a few dozen records to reach. */
const DEAD_LETTERS = { window: 20, maxInWindow: 6, maxInARow: 4, maxPerCustomer: 3 };

/** Answers of two threads arrive in any order; occasionally none starts, which is an outage. */
function searchThread(random: Random): Tasks['run'] {
  const search = searchTasks(() => performance.now());
  return async (bytes) => {
    await new Promise((resolve) => setTimeout(resolve, MAX_SEARCH_MS * random.next()));
    if (random.chance(0.02)) throw new TasksUnavailable('simulated');
    return search(bytes);
  };
}

/** Started as in `services/analyzer/main.ts`. */
export async function startAnalyzerNode(dependencies: NodeDependencies): Promise<RunningNode> {
  const { process, network, random, masterKey, codec, logger } = dependencies;
  const state = stateOfProcess(dependencies.state, network, process);
  const now = () => process.now();
  const { log, keyring } = failAnalyses(
    {
      log: logOfProcess({ log: dependencies.log, network, process, random }),
      keyring: openKeyring({ state, masterKey, now, randomBytes: random.bytes }),
    },
    dependencies.faultSpec,
  );
  const analyzer = createAnalyzer({
    codec,
    keyring,
    sandboxVersions: sandboxVersions(state.documents),
    detection: createDetection({
      tasks: null,
      lists: { tasks: { run: searchThread(random) }, threads: 2 },
      clock: () => performance.now(),
    }),
    now,
    clock: () => performance.now(),
    randomBytes: random.bytes,
  });
  const stream = await runAnalyzer({
    log,
    state,
    analyzer,
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
