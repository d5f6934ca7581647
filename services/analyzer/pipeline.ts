import { createRuleCache } from '../../core/detect/rule-cache.ts';
import { decodeLearning } from '../../platform/codec/learn.ts';
import { ledgerRecord } from '../../platform/codec/ledger-record.ts';
import type { Codec } from '../../platform/codec/port.ts';
import type { SandboxVersions } from '../../platform/directory/sandbox-versions.ts';
import type { StoredRecord } from '../../platform/event-log/port.ts';
import { takeSteps, timeSlice } from '../../platform/runtime/time-slice.ts';
import { type Keyring, MasterKeyMismatch } from '../../platform/sealing/port.ts';
import { isOutage } from '../../platform/stream/outage.ts';
import type { Outcome, Process } from '../../platform/stream/outcome.ts';
import { attemptOf } from '../../platform/stream/retry-route.ts';
import { failureOf } from './failure-of.ts';
import { type FaultRule, type FaultStage, injectFault } from './faults.ts';
import type { Ask, Judging } from './judge/judging.ts';
import { JudgeUnavailable } from './judge/port.ts';
import { sideBySide } from './side-by-side.ts';
import { findIn, sourcesOf, weigh } from './steps/analyse-text.ts';
import { draftSignal } from './steps/draft-signal.ts';
import { openTriplet } from './steps/open-triplet.ts';
import { generationOf, signalHeaders } from './steps/signal-headers.ts';

export interface AnalyzerParts {
  readonly codec: Codec;
  readonly keyring: Pick<Keyring, 'open' | 'seal'>;
  readonly sandboxVersions: SandboxVersions;
  /** Unix ms. */
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly faults: readonly FaultRule[];
  /** The optional judge; without it rules are searched for and nobody is asked. */
  readonly judging?: Judging | undefined;
}

export interface Analyzer {
  readonly process: Process;
}

/** True for errors that are no record's fault and worth repeating. */
export const isAnalyzerOutage = (error: unknown): boolean =>
  isOutage(error) || error instanceof JudgeUnavailable;

/** Turns triplets into signals. Keeps no text between audits: it lives for one pass of `analyse`. */
export function createAnalyzer(parts: AnalyzerParts): Analyzer {
  const { codec, keyring, now, clock, randomBytes, judging } = parts;
  const giveWay = timeSlice(clock);
  const rulesOf = createRuleCache();
  // A judge that is away repeats batches for as long; what is done of them is not judged, and paid for, again.
  const done = new WeakMap<StoredRecord, Outcome>();

  const analyse = async (record: StoredRecord, ask: Ask | undefined): Promise<Outcome> => {
    const [begun, startedAt] = [clock(), now()];
    const attempt = attemptOf(record.headers);
    let waitedMs = 0;
    let stage = 'decode';
    const enter = (next: FaultStage, model: string): void => {
      stage = next;
      injectFault(parts.faults, next, { model, attempt, generation: generationOf(record.headers) });
    };
    try {
      const triplet = await decodeLearning(codec, codec.decodeTriplet, record.value);

      enter('open', triplet.model);
      const texts = sourcesOf(await openTriplet(triplet, keyring));

      enter('detect', triplet.model);
      const { customerId, sandboxId, sandboxVersion } = triplet;
      const sandbox = await parts.sandboxVersions(customerId, sandboxId, sandboxVersion);
      const pause = async (): Promise<void> => {
        waitedMs += await giveWay();
      };
      const rules = await takeSteps(rulesOf(sandbox.customRules), pause);
      const found = await findIn(texts, rules, pause);
      const { findings, notes } = (await ask?.(record, { texts, findings: found, sandbox }, pause)) ?? {
        findings: found,
        notes: [],
      };
      const analysis = await weigh(texts, findings, notes, sandbox, pause);

      enter('emit', triplet.model);
      const facts = { attempts: attempt, durationMs: clock() - begun - waitedMs, createdAt: now() };
      const draft = draftSignal(triplet, sandbox, analysis, facts, randomBytes);
      const headers = signalHeaders(record, triplet, startedAt);
      return { kind: 'ok', forward: [await ledgerRecord(draft, { seal: keyring.seal, codec }, headers)] };
    } catch (error) {
      // No record's fault: the first is waited for, the second stops the stream before it empties the topic.
      if (isAnalyzerOutage(error) || error instanceof MasterKeyMismatch) throw error;
      return failureOf(error, stage, startedAt);
    }
  };

  return {
    // Side by side as far as a judge is asked, since its answers take seconds; else one after the other.
    process: (batch, { signal }) => {
      const ask = judging?.forBatch(signal);
      return sideBySide(batch.records, judging?.concurrency ?? 1, async (record) => {
        await giveWay();
        signal.throwIfAborted();
        if (ask === undefined) return analyse(record, ask);
        const outcome = done.get(record) ?? (await analyse(record, ask));
        // What failed is looked at again: a partition that is stopped by failures waits for just that.
        if (outcome.kind === 'ok') done.set(record, outcome);
        return outcome;
      });
    },
  };
}
