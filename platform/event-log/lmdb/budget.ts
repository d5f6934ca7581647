import { holdersOf, isIntake, type TopicDefinition } from '#schemas/topics.ts';
import type { EmbeddedStore } from './store.ts';
import type { PartitionState } from './topics.ts';

/** Above this share of the budget, processed records are deleted at about the rate of new ones, never many at once. */
const TRIM_ABOVE = 0.8;
/** Above this share, only records that must stay are left; this warns operators before the budget is reached. */
const WARN_ABOVE = 0.9;

/**
 * Share of the budget that may be written before usage is measured again; it takes at most a few times that in pages.
 */
const UNMEASURED = 0.001;
/** Within this distance of the first limit, usage is measured after every write. */
const MARGIN = 0.1;

/** Maximum number of records per deleting transaction, so that appends never wait long for the only writer. */
const CHUNK_RECORDS = 500;
/**
 * Partitions are trimmed in turn, each up to this many ms after the oldest record of all, so oldest first within a
 * minute. In exact order, every transaction would delete only a handful of records.
 */
const STEP_MS = 60_000;

/** How full the log is. Bytes count the pages that hold records. */
export interface LogUsage {
  readonly usedBytes: number;
  readonly maxBytes: number;
  /** `warns`: hardly any space is left beyond what must stay. `refuses`: clients' records are refused. */
  readonly level: 'fits' | 'warns' | 'refuses';
}

export interface LogBudget {
  usage(): LogUsage;
  /** Why the records are refused; null when there is room for them, or when they do not come from clients. */
  refusal(records: readonly { readonly topic: string }[], waitingBytes: number): string | null;
  /** Call after each write with its bytes; measures how full the file is after enough writes. */
  wrote(bytes: number): void;
  /** True when usage is above the share at which trimming starts. */
  isAboveTrim(): boolean;
  /**
   * Deletes records that all groups of their topic have committed, oldest first, until there is room. Returns their
   * number.
   */
  trim(shouldContinue: () => boolean): Promise<number>;
}

interface LogBudgetOptions {
  readonly topics: readonly TopicDefinition[];
  readonly maxBytes: number;
  /** Why clients' records should be refused regardless of the log's size: the disk is nearly full. */
  readonly shortage: () => string | null;
}

/**
 * Keeps a log within `maxBytes`: deletes processed records early, and refuses records when nothing more can be deleted.
 */
export function createLogBudget(
  store: Pick<
    EmbeddedStore,
    'partitions' | 'usedBytes' | 'read' | 'firstNotOlder' | 'truncate' | 'committed'
  >,
  { topics, maxBytes, shortage }: LogBudgetOptions,
): LogBudget {
  if (!(maxBytes > 0)) throw new RangeError('the budget of the event log must be above 0 bytes');
  const intake = new Set(topics.filter(isIntake).map(({ name }) => name));
  let usedBytes = store.usedBytes();
  /** Bytes written since the last measurement. */
  let unmeasured = 0;

  const measure = (): void => {
    usedBytes = store.usedBytes();
    unmeasured = 0;
  };
  const level = (): LogUsage['level'] => {
    if (usedBytes >= maxBytes) return 'refuses';
    return usedBytes > maxBytes * WARN_ABOVE ? 'warns' : 'fits';
  };

  async function trim(shouldContinue: () => boolean): Promise<number> {
    let deleted = 0;
    const isDone = (): boolean => !shouldContinue() || usedBytes <= maxBytes * TRIM_ABOVE;
    if (shouldContinue()) measure();
    while (!isDone()) {
      const spare = sparePartitions(store, topics);
      if (spare.length === 0) break;
      const cutoff = Math.min(...spare.map(({ oldestAt }) => oldestAt)) + STEP_MS;
      for (const { state, upTo, oldestAt } of spare) {
        if (isDone()) break;
        if (oldestAt >= cutoff) continue;
        const from = state.start;
        const keep = Math.min(upTo, store.firstNotOlder(state, cutoff, CHUNK_RECORDS));
        if (keep <= from) throw new Error(`${state.topic}/${state.partition}: no spare records found`);
        await store.truncate(state, keep);
        deleted += keep - from;
        measure();
      }
    }
    return deleted;
  }

  return {
    usage: () => ({ usedBytes, maxBytes, level: level() }),
    refusal(records, waitingBytes) {
      if (!records.some(({ topic }) => intake.has(topic))) return null;
      if (usedBytes + waitingBytes >= maxBytes)
        return `the event log holds ${usedBytes} bytes, LOG_MAX_BYTES are ${maxBytes}`;
      return shortage();
    },
    wrote(bytes) {
      unmeasured += bytes;
      // A measurement costs as much as five appends. Near a limit, measure after each write.
      if (unmeasured > maxBytes * UNMEASURED || usedBytes > maxBytes * (TRIM_ABOVE - MARGIN)) measure();
    },
    isAboveTrim: () => usedBytes > maxBytes * TRIM_ABOVE,
    trim,
  };
}

interface Spare {
  readonly state: PartitionState;
  /** Records below this offset may be deleted. */
  readonly upTo: number;
  /** When the log stored the first of them, Unix ms. */
  readonly oldestAt: number;
}

/**
 * Partitions whose first records are committed by every group. The last of these records stays: a reader that continues
 * after it compares it with what it has read, to verify that this is still the same log.
 */
function sparePartitions(
  store: Pick<EmbeddedStore, 'partitions' | 'read' | 'committed'>,
  topics: readonly TopicDefinition[],
): Spare[] {
  return topics.flatMap((topic) => {
    const holders = holdersOf(topic);
    if (holders === null || holders.length === 0) return [];
    return store.partitions(topic.name).flatMap((state): Spare[] => {
      const commits = holders.map((group) => store.committed.get(group, topic.name, state.partition) ?? 0);
      const upTo = Math.min(...commits, state.end) - 1;
      if (upTo <= state.start) return [];
      const first = store.read(state, state.start, 1, 0)[0];
      if (first === undefined)
        throw new Error(`${topic.name}/${state.partition}: the first record is missing`);
      return [{ state, upTo, oldestAt: first.timestamp }];
    });
  });
}
