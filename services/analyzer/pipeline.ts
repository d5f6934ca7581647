import type { Detection } from '#detection/port.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { StoredRecord } from '#platform/event-log/port.ts';
import { timeSlice } from '#platform/flow/time-slice.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import type { Outcome, Process } from '#platform/stream/failure/outcome.ts';
import type { StageMetrics } from '#platform/telemetry/metrics/stage-metrics.ts';
import type { SandboxVersions } from '#records/sandboxes/sandbox-versions.ts';
import type { Judged, Judging } from './judge/judging.ts';
import { assessAudits } from './steps/assess.ts';
import { AuditBatch } from './steps/audits.ts';
import { detectAudits } from './steps/detect.ts';
import { fingerprintStep } from './steps/fingerprint.ts';
import { type Asking, judgeAudits } from './steps/judge.ts';
import { openStep } from './steps/open.ts';
import { sealStep } from './steps/seal.ts';

export interface AnalyzerDependencies {
  readonly codec: Codec;
  readonly keyring: Pick<Keyring, 'open' | 'seal' | 'fingerprintKey'>;
  readonly sandboxVersions: SandboxVersions;
  readonly detection: Detection;
  /** Unix ms. */
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  /** The optional judge; without it, rules are only searched for as words. */
  readonly judging?: Judging | undefined;
  readonly stages?: StageMetrics | undefined;
}

export interface Analyzer {
  readonly process: Process;
}

/** Turns triplets into signals, batch by batch. Holds no text between batches: texts live only within one call. */
export function createAnalyzer(dependencies: AnalyzerDependencies): Analyzer {
  const { detection, now, clock, judging, stages } = dependencies;
  const yieldTurn = timeSlice(clock);
  const openAudits = openStep(dependencies);
  const fingerprintAudits = fingerprintStep(dependencies.keyring);
  const sealSignals = sealStep(dependencies);
  const judged = new WeakMap<StoredRecord, Judged>();

  const analyse = async (
    records: readonly StoredRecord[],
    signal: AbortSignal,
    judge: Asking | null,
  ): Promise<Outcome[]> => {
    const batch = new AuditBatch(records, { signal, yieldTurn, now, clock, stages });
    const opened = await openAudits(batch);
    const found = await detectAudits(batch, opened, detection, signal);
    const noted = await judgeAudits(batch, found, judge, yieldTurn);
    const assessed = await assessAudits(batch, noted);
    const fingerprinted = await fingerprintAudits(batch, assessed);
    for (const sealed of await sealSignals(batch, fingerprinted))
      batch.done(sealed, { kind: 'ok', forward: [sealed.known] });
    return batch.outcomes();
  };

  return {
    process: async (batch, { signal }) => {
      const judge =
        judging === undefined
          ? null
          : { ask: judging.forBatch(signal), concurrency: judging.concurrency, judged };
      const outcomes: Outcome[] = [];
      for (const records of partsOf(batch.records)) outcomes.push(...(await analyse(records, signal, judge)));
      return outcomes;
    },
  };
}

/** Sealed bytes whose texts are opened at once: otherwise a batch of long texts would be in memory twice. */
const PART_BYTES = 512 * 1024;

/** Splits the records into lists of at most this many bytes, or of one record. */
function* partsOf(records: readonly StoredRecord[]): Generator<StoredRecord[], void> {
  let part: StoredRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    bytes += record.value.byteLength;
    if (bytes > PART_BYTES && part.length > 0) {
      yield part;
      part = [];
      bytes = record.value.byteLength;
    }
    part.push(record);
  }
  if (part.length > 0) yield part;
}
