import { decodeLearning } from '#platform/codec/learn.ts';
import { openDetail } from '#platform/codec/ledger-record.ts';
import { startBackgroundJob } from '#platform/flow/background-job.ts';
import type { StoringDependencies } from '#platform/process/dependencies.ts';
import type { ServiceContext } from '#platform/process/service-context.ts';
import { wholeBatch } from '#platform/stream/failure/outcome.ts';
import { runStream, type Stream } from '#platform/stream/run-stream.ts';
import { countContradictions } from '#platform/warehouse/queries/contradictions.ts';
import { partitionStops } from '#records/losses/partition-stops.ts';
import { FINDINGS_GROUP, runFindings } from './findings/run-findings.ts';
import { publishFolded } from './flush/publish.ts';
import { warehouseStore } from './flush/queries.ts';
import { timedStore } from './flush/timed-store.ts';
import { blankReturned } from './jobs/blank-returned.ts';
import { eraseLateAudits, eraseLateFindings, removeErasedCustomers } from './jobs/erase-customers.ts';
import { markLost } from './jobs/lost.ts';
import { scrubErased } from './jobs/scrub.ts';
import { createSink, type SinkOptions } from './pipeline.ts';
import { SINK_GROUP, SINK_TOPICS } from './start/sink-topics.ts';
import { checkStart } from './start/start-position.ts';
import { createTreeJob, type TreeJob } from './trees/tree-job.ts';

/** Interval of the jobs for erased content on disk and lost audits in the list. */
const JOBS_EVERY_MS = 24 * 3_600_000;
/** Records wait for a flush anyway, so fetches may wait this long for more. */
const GATHER_MS = 100;
/** Maximum number of a partition's records in a flush: a customer's ledger is one partition, however busy. */
const MAX_RECORDS = 2_500;
const JOBS_LEASE = 'lease:sink-jobs';
const JOBS_LEASE_MS = 10 * 60_000;
/** How often the sink checks for customer erasures. */
const ERASURES_EVERY_MS = 500;
/** How often newly complete subtrees of customers' trees are stored; until then proofs read leaves. */
const TREES_EVERY_MS = 5_000;
const TREES_MAX_PAUSE_MS = 60_000;

/** `epoch`: the log's epoch, as agreed by log, state and warehouse. */
type SinkContext = ServiceContext<StoringDependencies> & { readonly epoch: number } & Pick<
    SinkOptions,
    'onFinal'
  >;

/** Runs `checkStart` on every partition that the sink reads. */
export async function checkPositions(
  dependencies: StoringDependencies,
  epoch: number,
  log: { readonly isOneFile: boolean },
): Promise<void> {
  const where = { log: dependencies.log, store: warehouseStore(dependencies.warehouse), epoch };
  const partitions = await dependencies.log.lag(SINK_GROUP, SINK_TOPICS);
  const assignments = partitions.map(async ({ topic, partition, committed }) => ({
    topic,
    partition,
    committed,
    ...(await dependencies.log.bounds(topic, partition)),
  }));
  await checkStart(await Promise.all(assignments), where, log);
}

/** The two groups of a sink. */
interface SinkStreams {
  readonly sink: Stream;
  readonly findings: Stream;
}

/** Starts a sink and its daily jobs; they run until the lifecycle stops them. */
export async function startSink(options: SinkContext): Promise<SinkStreams> {
  const { dependencies, epoch, lifecycle, logger, metrics, now, probe } = options;
  // Counted in the table, so that past contradictions stay visible across restarts.
  const reportContradictions = (): Promise<void> =>
    countContradictions(dependencies.warehouse).then(metrics.sink.contradictions, (err: unknown) =>
      logger.warn({ err }, 'failed to count ledger contradictions'),
    );
  const stops = partitionStops(dependencies.state, SINK_GROUP, async () => epoch);
  const trees = createTreeJob({ warehouse: dependencies.warehouse, logger });
  const sink = createSink({
    log: dependencies.log,
    acceptedLoss: stops.acceptedLoss,
    store: timedStore(warehouseStore(dependencies.warehouse), metrics.stages),
    publish: publishFolded({ ...dependencies, epoch, stages: metrics.stages }),
    admission: dependencies.state.admission,
    decodeLedgerEntry: (value) =>
      decodeLearning(dependencies.codec, dependencies.codec.decodeLedgerEntry, value),
    openDetail: (entry) => openDetail(entry, dependencies.keyring),
    epoch,
    now,
    logger,
    metrics: metrics.sink,
    stages: metrics.stages,
    onContradictions: () => void reportContradictions(),
    onFolded: trees.folded,
    probe,
    ...(options.onFinal === undefined ? {} : { onFinal: options.onFinal }),
  });
  await reportContradictions();
  const stream = await runStream({
    log: dependencies.log,
    group: SINK_GROUP,
    topics: SINK_TOPICS,
    process: wholeBatch(sink.process),
    onAssigned: sink.onAssigned,
    skipGap: sink.skipGap,
    stops,
    linger: sink.linger,
    limits: { gatherMs: GATHER_MS, maxRecords: MAX_RECORDS },
    logger,
    metrics: metrics.stream(SINK_GROUP),
    now,
  });
  lifecycle.add('sink', stream.stop);
  const findings = await startFindings(options);
  startTrees(options, trees);
  startJobs(options, trees);
  startRemovals(options);
  return { sink: stream, findings };
}

/** Stores correlators' findings independently of the flushes: findings are rare, and should not wait for one. */
async function startFindings(options: SinkContext): Promise<Stream> {
  const { dependencies, epoch, lifecycle, logger, metrics, now } = options;
  const findings = await runFindings({
    ...dependencies,
    store: warehouseStore(dependencies.warehouse),
    epoch,
    now,
    logger,
    unreadable: metrics.sink.unreadable,
    metrics: metrics.stream(FINDINGS_GROUP),
  });
  lifecycle.add('findings', findings.stop);
  return findings;
}

/** Does the sink's share of customer erasures when they reach that phase, and blanks reappeared content. */
function startRemovals({ dependencies, lifecycle, logger, metrics, probe }: SinkContext): void {
  const { warehouse, state } = dependencies;
  const removal = { warehouse, documents: state.documents, expiring: state.expiring, logger, probe };
  const job = startBackgroundJob({
    everyMs: ERASURES_EVERY_MS,
    run: async () => {
      await removeErasedCustomers(removal);
      await blankReturned({ ...removal, blanked: metrics.sink.blankedAgain });
    },
    onFailure: (err) => logger.warn({ err }, 'failed to list erased customers; retrying'),
  });
  lifecycle.add('erased customer cleanup', job.stop);
}

/** Stores complete subtrees after the flushes that completed them. */
function startTrees({ lifecycle, logger }: SinkContext, trees: TreeJob): void {
  const job = startBackgroundJob({
    everyMs: TREES_EVERY_MS,
    maxPauseMs: TREES_MAX_PAUSE_MS,
    run: trees.run,
    onFailure: (err) => logger.warn({ err }, 'failed to store ledger subtrees; retrying'),
  });
  lifecycle.add('ledger trees', job.stop);
}

/** Each job runs at the start and then daily, in one sink only; a failed run is logged and retried at its next time. */
function startJobs(
  { dependencies, epoch, lifecycle, logger, metrics, now }: SinkContext,
  trees: TreeJob,
): void {
  const jobs: Readonly<Record<string, (stopping: AbortSignal) => Promise<unknown>>> = {
    'erase late audits': () => eraseLateAudits(dependencies.warehouse),
    'erase late findings': () => eraseLateFindings(dependencies.warehouse),
    'scrub erased rows': () => scrubErased(dependencies.warehouse),
    'complete trees': trees.backfill,
    'mark lost audits': async () => {
      const logStart = async (topic: string, partition: number) =>
        (await dependencies.log.bounds(topic, partition)).start;
      const lost = await markLost({ warehouse: dependencies.warehouse, now, epoch, logStart });
      metrics.lost(lost);
      if (lost > 0) logger.error({ audits: lost }, 'accepted audits lost');
    },
  };
  const runAll = async (stopping: AbortSignal): Promise<void> => {
    if (!(await dependencies.state.expiring.setIfAbsent(JOBS_LEASE, 'taken', JOBS_LEASE_MS))) return;
    // One at a time, because they are heavy; a failure does not prevent the others.
    for (const [job, work] of Object.entries(jobs))
      await work(stopping).catch((err: unknown) => logger.warn({ err, job }, 'daily job failed'));
  };
  const job = startBackgroundJob({
    firstAfterMs: 0,
    everyMs: JOBS_EVERY_MS,
    run: runAll,
    onFailure: (err) => logger.warn({ err }, 'failed to start daily jobs; retrying'),
  });
  lifecycle.add('sink jobs', job.stop);
}
