import { openDetail } from '#platform/codec/ledger-record.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { wholeBatch } from '#platform/stream/failure/outcome.ts';
import { STREAM_LIMITS } from '#platform/stream/partition/options.ts';
import { runStream } from '#platform/stream/run-stream.ts';
import { partitionStops } from '#records/losses/partition-stops.ts';
import { runFindings } from '#services/sink/findings/run-findings.ts';
import { publishFolded } from '#services/sink/flush/publish.ts';
import { blankReturned } from '#services/sink/jobs/blank-returned.ts';
import { removeErasedCustomers } from '#services/sink/jobs/erase-customers.ts';
import { createSink } from '#services/sink/pipeline.ts';
import { SINK_GROUP, SINK_TOPICS } from '#services/sink/start/sink-topics.ts';
import { createTreeJob } from '#services/sink/trees/tree-job.ts';
import { logOfProcess } from '../dependencies/log-of-process.ts';
import { stateOfProcess } from '../dependencies/state-of-process.ts';
import { storeOfProcess, warehouseOfProcess } from '../dependencies/warehouse.ts';
import type { SimulatedProcess } from '../process.ts';
import { compareWithLedger } from './ledger-comparison.ts';
import { type NodeDependencies, type RunningNode, TREE_HEIGHTS } from './node.ts';

const ERASURES_EVERY_MS = 4_000;
const TREES_EVERY_MS = 2_000;
/** Daily in production; here often enough that a run covers what a crash has left. */
const BACKFILL_EVERY_MS = 60_000;

/** Started as in `services/sink/main.ts`, without the daily jobs. */
export async function startSinkNode(dependencies: NodeDependencies): Promise<RunningNode> {
  const { process, network, random, masterKey, codec, logger, probe, epoch } = dependencies;
  const state = stateOfProcess(dependencies.state, network, process);
  const log = logOfProcess({ log: dependencies.log, network, process, random });
  const ledger = await compareWithLedger(dependencies, { state, log });
  const now = () => process.now();
  const keyring = openKeyring({ state, masterKey, now, randomBytes: random.bytes });
  const stops = partitionStops(state, SINK_GROUP, async () => epoch);
  const warehouse = warehouseOfProcess(dependencies.store, network, process);
  const trees = createTreeJob({ warehouse, logger, heights: TREE_HEIGHTS });
  const store = storeOfProcess(dependencies.store, network, process);
  const sink = createSink({
    log,
    acceptedLoss: stops.acceptedLoss,
    store,
    publish: publishFolded({ log, codec, epoch }),
    admission: state.admission,
    decodeLedgerEntry: codec.decodeLedgerEntry,
    openDetail: (entry) => openDetail(entry, keyring),
    epoch,
    now,
    logger,
    probe,
    onFolded: trees.folded,
  });
  const stream = await runStream({
    log,
    group: SINK_GROUP,
    topics: SINK_TOPICS,
    process: wholeBatch(sink.process),
    onAssigned: sink.onAssigned,
    skipGap: sink.skipGap,
    stops,
    linger: sink.linger,
    limits: {
      gatherMs: 100,
      maxRecords: 2_500,
      progressCheckMs: 30_000,
      backoff: { ...STREAM_LIMITS.backoff, random: random.next },
    },
    logger,
    now,
    onStopped: dependencies.onStopped,
  });
  const findings = await runFindings({
    log,
    state,
    store,
    codec,
    epoch,
    now,
    logger,
    limits: { progressCheckMs: 30_000, backoff: { ...STREAM_LIMITS.backoff, random: random.next } },
    onStopped: dependencies.onStopped,
  });
  const { documents, expiring } = state;
  const stopping = new AbortController();
  const removal = { warehouse, documents, expiring, logger, probe };
  repeatedly(process, stopping.signal, ERASURES_EVERY_MS, async () => {
    await removeErasedCustomers(removal);
    await blankReturned({ ...removal, blanked: () => undefined });
  });
  repeatedly(process, stopping.signal, TREES_EVERY_MS, () => trees.run(stopping.signal));
  repeatedly(process, stopping.signal, BACKFILL_EVERY_MS, () => trees.backfill(stopping.signal));
  return {
    stopped: () => [stream, findings].flatMap((one) => one.health().stoppedPartitions),
    stop: async () => {
      stopping.abort();
      await Promise.all([stream.stop(), findings.stop(), ledger.stop()]);
    },
  };
}

/** Repeats until the process dies or is stopped; a failed run is retried at the next interval. */
function repeatedly(
  process: SimulatedProcess,
  stopping: AbortSignal,
  everyMs: number,
  run: () => Promise<unknown>,
): void {
  if (stopping.aborted || process.life === 'dead') return;
  setTimeout(() => {
    if (stopping.aborted || process.life === 'dead') return;
    run()
      .catch(() => undefined)
      .then(() => repeatedly(process, stopping, everyMs, run));
  }, everyMs);
}
