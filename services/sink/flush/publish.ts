import type { Codec } from '#platform/codec/port.ts';
import type { EventLog, LogRecord } from '#platform/event-log/port.ts';
import type { StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import { type FoldedEntry, SCHEMA_NAMES } from '#schemas/events/events.ts';
import { groupBy } from '#schemas/group-by.ts';
import { type FoldedHeaders, SIGNALS } from '#schemas/topics.ts';
import type { OwnedEntry } from '../fold/fold-batch.ts';
import type { Publish } from './flush.ts';

interface PublishDependencies {
  readonly log: Pick<EventLog, 'append'>;
  readonly codec: Pick<Codec, 'encodeFoldedEntries'>;
  readonly epoch: number;
  readonly stages?: StageMetrics | undefined;
}

/** Maximum characters of cores in a record, unless a single entry has more: consumers hold all of them in memory. */
const RECORD_CHARACTERS = 256 * 1024;

/**
 * Appends a flush's folded entries to `audit.signals`: one append for all, and one record per customer for as many
 * entries as a record may hold. Rejects as `append` does; the flush is then retried.
 */
export function publishFolded({ log, codec, epoch, stages }: PublishDependencies): Publish {
  const recordOf = (customerId: string, entries: readonly FoldedEntry[]): LogRecord => {
    const headers: FoldedHeaders = {
      first: String(entries[0]!.index),
      last: String(entries.at(-1)!.index),
      others: String(entries.filter(({ kind }) => kind !== 'SIGNAL').length),
      epoch: String(epoch),
      schema: SCHEMA_NAMES.folded,
    };
    const value = codec.encodeFoldedEntries({ customerId, epoch, entries });
    return { topic: SIGNALS.name, key: customerId, value, headers: { ...headers } };
  };
  return async (folded) => {
    if (folded.length === 0) return;
    const started = performance.now();
    const records: LogRecord[] = [];
    for (const [customerId, entries] of groupBy(folded, (entry) => entry.customerId)) {
      for (const part of partsOf(entries)) records.push(recordOf(customerId, part));
    }
    stages?.ended('publish', folded.length, performance.now() - started);
    await log.append(records);
  };
}

function* partsOf(entries: readonly OwnedEntry[]): Generator<OwnedEntry[], void> {
  let part: OwnedEntry[] = [];
  let characters = 0;
  for (const entry of entries) {
    const more = entry.core?.length ?? 0;
    if (part.length > 0 && characters + more > RECORD_CHARACTERS) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push(entry);
    characters += more;
  }
  yield part;
}
