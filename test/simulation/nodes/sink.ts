import { openDetail } from '#platform/codec/ledger-record.ts';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { wholeBatch } from '#platform/stream/failure/outcome.ts';
import { STREAM_LIMITS } from '#platform/stream/options.ts';
import { runStream } from '#platform/stream/run-stream.ts';
import { partitionStops } from '#services/customers/partition-stops.ts';
import { removeErasedCustomers } from '#services/sink/jobs/erase-customers.ts';
import { createSink, SINK_GROUP, SINK_TOPICS } from '#services/sink/pipeline.ts';
import { logOfProcess } from '../dependencies/log-of-process.ts';
import { stateOfProcess } from '../dependencies/state-of-process.ts';
import { storeOfProcess, warehouseOfProcess } from '../dependencies/warehouse.ts';
import { compareWithLedger } from './ledger-comparison.ts';
import type { NodeDependencies, RunningNode } from './node.ts';

const ERASURES_EVERY_MS = 4_000;

/** As `services/sink/main.ts` starts it, without the daily jobs. */
export async function startSinkNode(dependencies: NodeDependencies): Promise<RunningNode> {
  const { process, network, random, masterKey, codec, logger, crashPoint, epoch } = dependencies;
  const state = stateOfProcess(dependencies.state, network, process);
  const log = logOfProcess({ log: dependencies.log, network, process, random });
  const ledger = await compareWithLedger(dependencies, state);
  const now = () => process.now();
  const keyring = openKeyring({ state, masterKey, now, randomBytes: random.bytes });
  const stops = partitionStops(state, SINK_GROUP, async () => epoch);
  const sink = createSink({
    log,
    acceptedLoss: stops.acceptedLoss,
    store: storeOfProcess(dependencies.store, network, process),
    admission: state.admission,
    decodeLedgerEntry: codec.decodeLedgerEntry,
    openDetail: (entry) => openDetail(entry, keyring),
    epoch,
    now,
    logger,
    crashPoint,
  });
  const stream = await runStream({
    log,
    group: SINK_GROUP,
    topics: SINK_TOPICS,
    process: wholeBatch(sink.process),
    onAssigned: sink.onAssigned,
    passHole: sink.passHole,
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
    crashPoint,
    onStopped: dependencies.onStopped,
  });
  const warehouse = warehouseOfProcess(dependencies.store, network, process);
  const { documents, expiring } = state;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    if (stopped || process.life === 'dead') return;
    timer = setTimeout(() => {
      removeErasedCustomers({ warehouse, documents, expiring, logger, crashPoint })
        .catch(() => undefined)
        .then(schedule);
    }, ERASURES_EVERY_MS);
  };
  schedule();
  return {
    stopped: () => stream.health().stoppedPartitions,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await Promise.all([stream.stop(), ledger.stop()]);
    },
  };
}
