import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { StreamMetrics } from '#platform/stream/partition/options.ts';
import type { ReadinessReport } from '../readiness/readiness.ts';
import type { StorageReport } from '../readiness/storage.ts';
import { readinessMetrics } from './readiness-metrics.ts';
import { type StageMetrics, stageMetrics } from './stage-metrics.ts';

/** Durations from a millisecond to half a minute, in seconds. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics of consumers. */
export interface ConsumerMetrics {
  /** Metrics of a group's consumer loop. */
  stream(group: string): StreamMetrics;
  readonly sink: {
    flush(rows: number, durationMs: number): void;
    repeats(records: number): void;
    unreadable(topic: string, records: number): void;
    /** Total number of records, including earlier runs. */
    contradictions(records: number): void;
    blankedAgain(entries: number): void;
  };
  readonly stages: StageMetrics;
  /** Requests to the optional judge, and questions without an answer. */
  readonly judge: {
    call(purpose: string, outcome: string, durationMs: number): void;
    notJudged(reason: string, questions: number): void;
  };
  /** Breaches of enforced policies by outcome: OPENED, FOUND, FULL or CLOSED. */
  readonly policies: { breach(outcome: string): void };
  /** Number of audits marked LOST: anything but 0 is an alarm. */
  lost(audits: number): void;
}

export interface Metrics extends ConsumerMetrics {
  readonly registry: Registry;
  /** Labels are route patterns and statuses, never addresses, which contain ids. */
  readonly httpDurations: Histogram<'method' | 'route' | 'status'>;
  /** Faults found by the background verification. */
  ledgerFault(reason: string): void;
  /** Adds gauges for the space of the embedded stores, which `look` reads at each scrape. */
  storage(read: () => StorageReport): void;
  /** Adds gauges for a role's checks, which `look` runs at each scrape. */
  readiness(role: string, read: () => Promise<ReadinessReport>): void;
}

/** All metrics of the service, defined only here. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'cas_' });
  const registers = [registry];
  const httpDurations = new Histogram({
    name: 'cas_http_request_duration_seconds',
    help: 'Time from request headers to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers,
  });
  const lost = new Counter({
    name: 'cas_audits_lost_total',
    help: 'Accepted audits without a final state past the retention of the log',
    registers,
  });
  const ledgerFaults = new Counter({
    name: 'cas_ledger_faults_total',
    help: 'Ledger faults found by background verification, by reason; an unrepaired fault counts again in every round',
    labelNames: ['reason'],
    registers,
  });
  return {
    registry,
    httpDurations,
    ledgerFault: (reason) => ledgerFaults.inc({ reason }),
    stream: streamMetrics(registers),
    sink: sinkMetrics(registers),
    stages: stageMetrics(registers),
    judge: judgeMetrics(registers),
    policies: policyMetrics(registers),
    lost: (audits) => lost.inc(audits),
    storage: (read) => storageMetrics(registers, read),
    readiness: (role, read) => readinessMetrics(registers, role, read),
  };
}

const STORAGE_LEVELS = { fits: 0, warns: 1, refuses: 2 } as const;

function storageMetrics(registers: Registry[], read: () => StorageReport): void {
  const gauge = (name: string, help: string, collect: (gauge: Gauge<'store' | 'limit'>) => void): void => {
    new Gauge({
      name,
      help,
      labelNames: ['store', 'limit'],
      registers,
      collect() {
        collect(this);
      },
    });
  };
  gauge('cas_storage_used_bytes', 'Bytes used by records of the embedded log', (one) => {
    one.set({ store: 'log' }, read().log.usedBytes);
  });
  gauge(
    'cas_storage_max_bytes',
    'Value of LOG_MAX_BYTES: ingest returns 503 when the log reaches it',
    (one) => {
      one.set({ store: 'log' }, read().log.maxBytes);
    },
  );
  gauge('cas_storage_free_bytes', 'Free bytes on the disk of an embedded store', (one) => {
    for (const { name, freeBytes } of read().folders) one.set({ store: name }, freeBytes);
  });
  gauge('cas_storage_min_free_bytes', 'Value of DATA_MIN_FREE_BYTES: ingest returns 503 below it', (one) => {
    for (const { name, leastFreeBytes } of read().folders) one.set({ store: name }, leastFreeBytes);
  });
  gauge('cas_storage_level', '0: sufficient, 1: low, 2: full (ingest returns 503)', (one) => {
    const { log, folders } = read();
    one.set({ store: 'log', limit: 'max_bytes' }, STORAGE_LEVELS[log.level]);
    for (const { name, level } of folders)
      one.set({ store: name, limit: 'free_bytes' }, STORAGE_LEVELS[level]);
  });
}

function streamMetrics(registers: Registry[]): Metrics['stream'] {
  const records = new Counter({
    name: 'cas_consumer_records_total',
    help: 'Records processed, by outcome',
    labelNames: ['group', 'topic', 'outcome'],
    registers,
  });
  const batches = new Histogram({
    name: 'cas_consumer_batch_duration_seconds',
    help: 'Time from receiving a batch until its output is durable',
    labelNames: ['group', 'topic'],
    buckets: DURATIONS,
    registers,
  });
  const outages = new Counter({
    name: 'cas_consumer_outages_total',
    help: 'Times a batch waited for an unavailable dependency',
    labelNames: ['group', 'topic'],
    registers,
  });
  const lags = new Gauge({
    name: 'cas_consumer_lag_records',
    help: 'Consumer lag: records of a partition that the group has not processed',
    labelNames: ['group', 'topic', 'partition'],
    registers,
  });
  const stops = new Gauge({
    name: 'cas_consumer_partition_stopped',
    help: '1 for each stopped partition, by reason; run "cas partitions" for what to do',
    labelNames: ['group', 'topic', 'partition', 'reason'],
    registers,
  });
  return (group) => ({
    records: (topic, outcome, count) => records.inc({ group, topic, outcome }, count),
    batch: (topic, _records, durationMs) => batches.observe({ group, topic }, durationMs / 1000),
    outage: (topic) => outages.inc({ group, topic }),
    lag: (topic, partition, waiting) => lags.set({ group, topic, partition: String(partition) }, waiting),
    stopped: (topic, partition, reason, isStopped) => {
      const labels = { group, topic, partition: String(partition), reason };
      if (isStopped) stops.set(labels, 1);
      else stops.remove(labels);
    },
  });
}

function sinkMetrics(registers: Registry[]): Metrics['sink'] {
  const flushes = new Histogram({
    name: 'cas_sink_flush_duration_seconds',
    help: 'Duration of a flush with all its inserts',
    buckets: DURATIONS,
    registers,
  });
  const rows = new Counter({
    name: 'cas_sink_rows_total',
    help: 'Rows inserted into the ledger and the audit list',
    registers,
  });
  const repeats = new Counter({
    name: 'cas_sink_duplicates_total',
    help: 'Records dropped because their entry is already in the ledger',
    registers,
  });
  const unreadable = new Counter({
    name: 'cas_sink_skipped_records_total',
    help: 'Records skipped because they name no audit, or hold no finding',
    labelNames: ['topic'],
    registers,
  });
  const contradictions = new Gauge({
    name: 'cas_ledger_contradictions',
    help: 'Ledger records that contradict a stored entry, since the ledger exists; above 0, an older state was restored',
    registers,
  });
  const blankedAgain = new Counter({
    name: 'cas_sink_reblanked_entries_total',
    help: 'Entries whose erased content reappeared and was blanked again: tables were restored or changed',
    registers,
  });
  return {
    blankedAgain: (entries) => blankedAgain.inc(entries),
    contradictions: (records) => contradictions.set(records),
    flush: (count, durationMs) => {
      flushes.observe(durationMs / 1000);
      rows.inc(count);
    },
    repeats: (records) => repeats.inc(records),
    unreadable: (topic, records) => unreadable.inc({ topic }, records),
  };
}

function policyMetrics(registers: Registry[]): Metrics['policies'] {
  const breaches = new Counter({
    name: 'cas_policy_breaches_total',
    help: 'Breaches of enforced policies, by outcome: opened (a new incident), found (one existed), full (plan limit), closed (customer erased)',
    labelNames: ['outcome'],
    registers,
  });
  return { breach: (outcome) => breaches.inc({ outcome: outcome.toLowerCase() }) };
}

function judgeMetrics(registers: Registry[]): Metrics['judge'] {
  const calls = new Histogram({
    name: 'cas_judge_call_duration_seconds',
    help: 'Duration of a call to the language-model judge, by purpose (audit or probe) and outcome',
    labelNames: ['purpose', 'outcome'],
    buckets: DURATIONS,
    registers,
  });
  const notJudged = new Counter({
    name: 'cas_judge_unanswered_total',
    help: 'Questions (rules and codes of audits) that the judge did not answer, by reason',
    labelNames: ['reason'],
    registers,
  });
  return {
    call: (purpose, outcome, durationMs) => calls.observe({ purpose, outcome }, durationMs / 1000),
    notJudged: (reason, questions) => notJudged.inc({ reason: reason.toLowerCase() }, questions),
  };
}
