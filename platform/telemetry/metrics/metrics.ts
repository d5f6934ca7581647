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
    /** Their total, including earlier runs. */
    contradictions(records: number): void;
    blankedAgain(entries: number): void;
  };
  readonly stages: StageMetrics;
  /** Requests to the optional judge, and questions without an answer. */
  readonly judge: {
    call(purpose: string, outcome: string, durationMs: number): void;
    notJudged(reason: string, questions: number): void;
  };
  /** Breaches of policies that act, by what became of them: OPENED, FOUND, FULL or CLOSED. */
  readonly policies: { breach(outcome: string): void };
  /** Audits marked LOST: anything but 0 is an alarm. */
  lost(audits: number): void;
}

export interface Metrics extends ConsumerMetrics {
  readonly registry: Registry;
  /** Labels are route patterns and statuses, never addresses: an address holds ids. */
  readonly httpDurations: Histogram<'method' | 'route' | 'status'>;
  /** Faults that the verification in the background found. */
  ledgerFault(reason: string): void;
  /** Adds gauges for the space of the embedded stores, which `look` reads at each scrape. */
  storage(look: () => StorageReport): void;
  /** Adds gauges for the checks of a role, which `look` makes at each scrape. */
  readiness(role: string, look: () => Promise<ReadinessReport>): void;
}

/** Every metric of the service, named in this one place. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'cas_' });
  const registers = [registry];
  const httpDurations = new Histogram({
    name: 'cas_http_request_duration_seconds',
    help: 'Time from the request’s headers to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers,
  });
  const lost = new Counter({
    name: 'cas_audits_lost_total',
    help: 'Audits older than the log’s retention without a final state',
    registers,
  });
  const ledgerFaults = new Counter({
    name: 'cas_ledger_faults_total',
    help: 'Faults of stored ledgers that the verification in the background found, by reason; each is found again by every round until it is repaired',
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
    storage: (look) => storageMetrics(registers, look),
    readiness: (role, look) => readinessMetrics(registers, role, look),
  };
}

const STORAGE_LEVELS = { fits: 0, warns: 1, refuses: 2 } as const;

function storageMetrics(registers: Registry[], look: () => StorageReport): void {
  const gauge = (name: string, help: string, collect: (gauge: Gauge<'what'>) => void): void => {
    new Gauge({
      name,
      help,
      labelNames: ['what'],
      registers,
      collect() {
        collect(this);
      },
    });
  };
  gauge('cas_storage_bytes', 'Bytes that the embedded log holds records in', (one) => {
    one.set({ what: 'log' }, look().log.usedBytes);
  });
  gauge('cas_storage_max_bytes', 'LOG_MAX_BYTES: at so many, ingest answers 503', (one) => {
    one.set({ what: 'log' }, look().log.maxBytes);
  });
  gauge('cas_storage_free_bytes', 'Free bytes where an embedded part lies', (one) => {
    for (const { name, freeBytes } of look().folders) one.set({ what: name }, freeBytes);
  });
  gauge('cas_storage_min_free_bytes', 'DATA_MIN_FREE_BYTES: below so many, ingest answers 503', (one) => {
    for (const { name, leastFreeBytes } of look().folders) one.set({ what: name }, leastFreeBytes);
  });
  gauge('cas_storage_level', '0: enough space, 1: short, look at it, 2: ingest answers 503', (one) => {
    const { log, folders } = look();
    one.set({ what: 'log budget' }, STORAGE_LEVELS[log.level]);
    for (const { name, level } of folders) one.set({ what: `${name} disk` }, STORAGE_LEVELS[level]);
  });
}

function streamMetrics(registers: Registry[]): Metrics['stream'] {
  const records = new Counter({
    name: 'cas_stream_records_total',
    help: 'Records by what became of them',
    labelNames: ['group', 'topic', 'outcome'],
    registers,
  });
  const batches = new Histogram({
    name: 'cas_stream_batch_duration_seconds',
    help: 'Time from a batch’s arrival until what it forwards is durable',
    labelNames: ['group', 'topic'],
    buckets: DURATIONS,
    registers,
  });
  const outages = new Counter({
    name: 'cas_stream_outages_total',
    help: 'Times a batch had to wait because a part could not be reached',
    labelNames: ['group', 'topic'],
    registers,
  });
  const lags = new Gauge({
    name: 'cas_stream_lag_records',
    help: 'Records of a partition that wait for the group',
    labelNames: ['group', 'topic', 'partition'],
    registers,
  });
  const stops = new Gauge({
    name: 'cas_stream_partition_stopped',
    help: 'Partitions that cannot go on, by reason; "cas partitions" says what to do',
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
    help: 'Time of one flush with all its inserts',
    buckets: DURATIONS,
    registers,
  });
  const rows = new Counter({
    name: 'cas_sink_rows_total',
    help: 'Rows of the ledger and the audit list',
    registers,
  });
  const repeats = new Counter({
    name: 'cas_sink_repeats_total',
    help: 'Records dropped because their entry is in the ledger already',
    registers,
  });
  const unreadable = new Counter({
    name: 'cas_sink_unreadable_total',
    help: 'Records of the audit topics whose headers name no audit, and of the topic of findings that hold none',
    labelNames: ['topic'],
    registers,
  });
  const contradictions = new Gauge({
    name: 'cas_ledger_contradictions',
    help: 'Records of the ledger that repeat an entry with another content, ever: a state older than the ledger was restored',
    registers,
  });
  const blankedAgain = new Counter({
    name: 'cas_sink_blanked_again_total',
    help: 'Entries whose erased content was stored again and was blanked again: the tables were changed or restored',
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
    help: 'Breaches of policies that act: an incident was opened, the signal had one, the plan allows no more, or the customer is erased',
    labelNames: ['outcome'],
    registers,
  });
  return { breach: (outcome) => breaches.inc({ outcome: outcome.toLowerCase() }) };
}

function judgeMetrics(registers: Registry[]): Metrics['judge'] {
  const calls = new Histogram({
    name: 'cas_judge_call_duration_seconds',
    help: 'Time of one call of the language-model judge, by its purpose (audit or probe) and how it ended',
    labelNames: ['purpose', 'outcome'],
    buckets: DURATIONS,
    registers,
  });
  const notJudged = new Counter({
    name: 'cas_judge_not_judged_total',
    help: 'Rules and codes of audits that the judge gave no answer on, by reason',
    labelNames: ['reason'],
    registers,
  });
  return {
    call: (purpose, outcome, durationMs) => calls.observe({ purpose, outcome }, durationMs / 1000),
    notJudged: (reason, questions) => notJudged.inc({ reason: reason.toLowerCase() }, questions),
  };
}
