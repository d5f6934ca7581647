import { randomBytes } from 'node:crypto';
import { createDetection } from '#detection/detection.ts';
import type { LogRecord, StoredRecord } from '#platform/event-log/port.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import type { Outcome } from '#platform/stream/failure/outcome.ts';
import { DEAD_LETTERS, TRIPLETS } from '#schemas/topics.ts';
import { createAnalyzer } from '#services/analyzer/pipeline.ts';
import type { Harness } from './harness.ts';

/** The analyzer on the harness' log: each call analyses the new triplets and appends the results. */
export function analyzerOf(harness: Harness): () => Promise<void> {
  const { codec, now, sandboxVersions } = harness.dependencies;
  const keyring = harness.dependencies.keyring as Keyring;
  const analyzer = createAnalyzer({
    codec,
    keyring: { open: keyring.open, seal: keyring.seal, fingerprintKey: keyring.fingerprintKey },
    sandboxVersions,
    detection: createDetection({ tasks: null, clock: () => performance.now() }),
    now,
    clock: () => performance.now(),
    randomBytes,
  });
  let done = 0;
  return async () => {
    const records = harness.log.of(TRIPLETS.name).slice(done);
    done += records.length;
    if (records.length === 0) return;
    const batch = { topic: TRIPLETS.name, partition: 0, records, nextOffset: 0, end: 0 };
    const outcomes = await analyzer.process(batch, {
      signal: new AbortController().signal,
      assignment: { topic: TRIPLETS.name, partition: 0, start: 0, end: 0, committed: null },
      oneByOne: false,
    });
    for (const [index, outcome] of outcomes.entries())
      await harness.log.append(forwarded(outcome, records[index]!));
  };
}

function forwarded(outcome: Outcome, record: StoredRecord): readonly LogRecord[] {
  if (outcome.kind === 'ok') return outcome.forward ?? [];
  if (outcome.kind !== 'deadLetter') throw new Error(`an analysis ended with ${outcome.kind}`);
  const headers = { ...record.headers, 'x-failure-code': outcome.failure.code };
  return [{ ...record, topic: DEAD_LETTERS.name, headers }];
}
