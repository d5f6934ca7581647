import { openDetail } from '../../../platform/codec/ledger-record.ts';
import { partitionStops } from '../../../platform/runtime/partition-stops.ts';
import { openKeyring } from '../../../platform/sealing/keyring.ts';
import { STREAM_LIMITS } from '../../../platform/stream/options.ts';
import { wholeBatch } from '../../../platform/stream/outcome.ts';
import { runStream } from '../../../platform/stream/run-stream.ts';
import { removeErasedCustomers } from '../../../services/sink/jobs/erase-customers.ts';
import { createSink, SINK_GROUP, SINK_TOPICS } from '../../../services/sink/pipeline.ts';
import { logOfProcess } from '../parts/log-of-process.ts';
import { stateOfProcess } from '../parts/state-of-process.ts';
import { storeOfProcess, warehouseOfProcess } from '../parts/warehouse.ts';
import { compareWithLedger } from './ledger-comparison.ts';
import type { NodeParts, RunningNode } from './node.ts';

const ERASURES_EVERY_MS = 4_000;

/** As `services/sink/main.ts` starts it, without the daily jobs. */
export async function startSinkNode(parts: NodeParts): Promise<RunningNode> {
  const { process, network, random, masterKey, codec, logger, crashPoint, epoch } = parts;
  const state = stateOfProcess(parts.state, network, process);
  const log = logOfProcess({ log: parts.log, network, process, random });
  const ledger = await compareWithLedger(parts, state);
  const now = () => process.now();
  const keyring = openKeyring({ state, masterKey, now, randomBytes: random.bytes });
  const stops = partitionStops(state, SINK_GROUP, async () => epoch);
  const sink = createSink({
    log,
    acceptedLoss: stops.acceptedLoss,
    store: storeOfProcess(parts.store, network, process),
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
    rest: sink.rest,
    limits: {
      gatherMs: 100,
      maxRecords: 2_500,
      progressCheckMs: 30_000,
      backoff: { ...STREAM_LIMITS.backoff, random: random.next },
    },
    logger,
    now,
    crashPoint,
    onStopped: parts.onStopped,
  });
  const warehouse = warehouseOfProcess(parts.store, network, process);
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
