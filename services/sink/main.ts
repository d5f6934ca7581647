import { decodeLearning } from '../../platform/codec/learn.ts';
import { openDetail } from '../../platform/codec/ledger-record.ts';
import { partitionStops } from '../../platform/runtime/partition-stops.ts';
import type { StoringParts } from '../../platform/runtime/parts.ts';
import type { ServiceContext } from '../../platform/runtime/service-context.ts';
import { wholeBatch } from '../../platform/stream/outcome.ts';
import { runStream, type Stream } from '../../platform/stream/run-stream.ts';
import { countContradictions } from '../../platform/warehouse/queries/contradictions.ts';
import { eraseLateAudits, removeErasedCustomers } from './jobs/erase-customers.ts';
import { markLost } from './jobs/lost.ts';
import { scrubErased } from './jobs/scrub.ts';
import { createSink, SINK_GROUP, SINK_TOPICS, type SinkOptions } from './pipeline.ts';
import { warehouseStore } from './queries.ts';
import { checkStart } from './start-position.ts';

/** How often erased content is looked for on disk, and lost audits in the list. */
const JOBS_EVERY_MS = 24 * 3_600_000;
/** Records wait for a flush anyway. */
const GATHER_MS = 100;
/** Records of a partition that a flush takes at most: one customer's ledger is one partition, however busy. */
const MAX_RECORDS = 2_500;
const JOBS_LEASE = 'lease:sink-jobs';
const JOBS_LEASE_MS = 10 * 60_000;
/** How often erasures of customers are looked for. */
const ERASURES_EVERY_MS = 500;

/** `epoch`: of the log, as all parts agreed on it. */
type SinkContext = ServiceContext<StoringParts> & { readonly epoch: number } & Pick<SinkOptions, 'onFinal'>;

/** `checkStart` of every partition that the sink reads. */
export async function checkPositions(parts: StoringParts, epoch: number): Promise<void> {
  const where = { log: parts.log, store: warehouseStore(parts.warehouse), epoch };
  const partitions = await parts.log.lag(SINK_GROUP, SINK_TOPICS);
  const assignments = partitions.map(async ({ topic, partition, committed }) => ({
    topic,
    partition,
    committed,
    ...(await parts.log.bounds(topic, partition)),
  }));
  await checkStart(await Promise.all(assignments), where);
}

/** Starts a sink and its daily jobs; they work until the lifecycle stops them. */
export async function startSink(options: SinkContext): Promise<Stream> {
  const { parts, epoch, lifecycle, logger, metrics, now, crashPoint } = options;
  // Counted in the table, so that what was found stays visible over restarts.
  const tellContradictions = (): Promise<void> =>
    countContradictions(parts.warehouse).then(metrics.sink.contradictions, (err: unknown) =>
      logger.warn({ err }, 'contradictions in the ledger could not be counted'),
    );
  const stops = partitionStops(parts.state, SINK_GROUP, async () => epoch);
  const sink = createSink({
    log: parts.log,
    acceptedLoss: stops.acceptedLoss,
    store: warehouseStore(parts.warehouse),
    admission: parts.state.admission,
    decodeLedgerEntry: (value) => decodeLearning(parts.codec, parts.codec.decodeLedgerEntry, value),
    openDetail: (entry) => openDetail(entry, parts.keyring),
    epoch,
    now,
    logger,
    metrics: metrics.sink,
    onContradictions: () => void tellContradictions(),
    crashPoint: (point) => crashPoint(`sink.${point}`),
    ...(options.onFinal === undefined ? {} : { onFinal: options.onFinal }),
  });
  await tellContradictions();
  const stream = await runStream({
    log: parts.log,
    group: SINK_GROUP,
    topics: SINK_TOPICS,
    process: wholeBatch(sink.process),
    onAssigned: sink.onAssigned,
    passHole: sink.passHole,
    stops,
    rest: sink.rest,
    limits: { gatherMs: GATHER_MS, maxRecords: MAX_RECORDS },
    logger,
    metrics: metrics.stream(SINK_GROUP),
    now,
    crashPoint: (point) => crashPoint(`sink.${point}`),
  });
  lifecycle.add('sink', stream.stop);
  startJobs(options);
  startRemovals(options);
  return stream;
}

/** Does the sink's part in the erasures of customers as they come to it. */
function startRemovals({ parts, lifecycle, logger, crashPoint }: SinkContext): void {
  const { warehouse, state } = parts;
  const removal = { warehouse, documents: state.documents, expiring: state.expiring, logger, crashPoint };
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const schedule = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = removeErasedCustomers(removal)
        .catch((err: unknown) => logger.warn({ err }, 'erasures of customers could not be looked for'))
        .then(schedule);
    }, ERASURES_EVERY_MS);
  };
  schedule();
  lifecycle.add('removal of erased customers', async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  });
}

/**
 * Each job runs at the start and then daily, in one of the sinks that come to it together; a failed run is logged and
 * repeated at its next time.
 */
function startJobs({ parts, epoch, lifecycle, logger, metrics, now }: SinkContext): void {
  const jobs: Readonly<Record<string, () => Promise<unknown>>> = {
    'erase late audits': () => eraseLateAudits(parts.warehouse),
    'scrub erased rows': () => scrubErased(parts.warehouse),
    'mark lost audits': async () => {
      const logStart = async (topic: string, partition: number) =>
        (await parts.log.bounds(topic, partition)).start;
      const lost = await markLost({ warehouse: parts.warehouse, now, epoch, logStart });
      metrics.lost(lost);
      if (lost > 0) logger.error({ lost }, 'accepted audits never reached a final state and are marked LOST');
    },
  };
  const runAll = async (): Promise<void> => {
    if (!(await parts.state.expiring.setIfAbsent(JOBS_LEASE, 'taken', JOBS_LEASE_MS))) return;
    // One after the other, for they are heavy; one that fails holds up none of the others.
    for (const [job, work] of Object.entries(jobs))
      await work().catch((err: unknown) => logger.warn({ err, job }, 'a daily job of the sink failed'));
  };
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = runAll().catch((err: unknown) => logger.warn({ err }, 'the daily jobs could not begin'));
  };
  run();
  const timer = setInterval(run, JOBS_EVERY_MS);
  lifecycle.add('sink jobs', async () => {
    clearInterval(timer);
    await running;
  });
}
