import { createRuleCache } from '#core/detect/find/rule-cache.ts';
import { decodeLearning } from '#platform/codec/learn.ts';
import { ledgerRecord } from '#platform/codec/ledger-record.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { StoredRecord } from '#platform/event-log/port.ts';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { isRetryable } from '#platform/flow/service-error.ts';
import { runSteps, timeSlice } from '#platform/flow/time-slice.ts';
import { type Keyring, MasterKeyMismatch } from '#platform/sealing/port.ts';
import type { Outcome, Process } from '#platform/stream/failure/outcome.ts';
import { attemptOf } from '#platform/stream/failure/retry-route.ts';
import type { SandboxVersions } from '#services/customers/sandboxes/sandbox-versions.ts';
import { failureOf } from './failure-of.ts';
import { type FaultRule, type FaultStage, injectFault } from './faults.ts';
import type { Ask, Judging } from './judge/judging.ts';
import { findIn, sourcesOf, weigh } from './steps/analyse-text.ts';
import { draftSignal } from './steps/draft-signal.ts';
import { openTriplet } from './steps/open-triplet.ts';
import { generationOf, signalHeaders } from './steps/signal-headers.ts';

export interface AnalyzerDependencies {
  readonly codec: Codec;
  readonly keyring: Pick<Keyring, 'open' | 'seal'>;
  readonly sandboxVersions: SandboxVersions;
  /** Unix ms. */
  readonly now: () => number;
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly randomBytes: (size: number) => Buffer;
  readonly faults: readonly FaultRule[];
  /** The optional judge; without it, rules are only searched for as words. */
  readonly judging?: Judging | undefined;
}

export interface Analyzer {
  readonly process: Process;
}

/** Turns triplets into signals. Holds no text between audits: it lives only within one call of `analyse`. */
export function createAnalyzer(dependencies: AnalyzerDependencies): Analyzer {
  const { codec, keyring, now, clock, randomBytes, judging } = dependencies;
  const yieldTurn = timeSlice(clock);
  const rulesOf = createRuleCache();
  // While the judge is down, batches are repeated; an audit that is done is not judged, and paid for, again.
  const done = new WeakMap<StoredRecord, Outcome>();

  const analyse = async (record: StoredRecord, ask: Ask | undefined): Promise<Outcome> => {
    const [begun, startedAt] = [clock(), now()];
    const attempt = attemptOf(record.headers);
    let waitedMs = 0;
    let stage = 'decode';
    const enter = (next: FaultStage, model: string): void => {
      stage = next;
      injectFault(dependencies.faults, next, { model, attempt, generation: generationOf(record.headers) });
    };
    try {
      const triplet = await decodeLearning(codec, codec.decodeTriplet, record.value);

      enter('open', triplet.model);
      const texts = sourcesOf(await openTriplet(triplet, keyring));

      enter('detect', triplet.model);
      const { customerId, sandboxId, sandboxVersion } = triplet;
      const sandbox = await dependencies.sandboxVersions(customerId, sandboxId, sandboxVersion);
      const pause = async (): Promise<void> => {
        waitedMs += await yieldTurn();
      };
      const rules = await runSteps(rulesOf(sandbox.customRules), pause);
      const found = findIn(texts, rules);
      const { findings, notes } = (await ask?.(record, { texts, findings: found, sandbox }, pause)) ?? {
        findings: found,
        notes: [],
      };
      const analysis = weigh(texts, findings, notes, sandbox);

      enter('emit', triplet.model);
      const facts = { attempts: attempt, durationMs: clock() - begun - waitedMs, createdAt: now() };
      const draft = draftSignal(triplet, sandbox, analysis, facts, randomBytes);
      const headers = signalHeaders(record, triplet, startedAt);
      return { kind: 'ok', forward: [await ledgerRecord(draft, { seal: keyring.seal, codec }, headers)] };
    } catch (error) {
      // Not the record's fault: the first kind is waited for, the second stops the stream before it empties the topic.
      if (isRetryable(error) || error instanceof MasterKeyMismatch) throw error;
      return failureOf(error, stage, startedAt);
    }
  };

  return {
    // Concurrently when there is a judge, whose answers take seconds; otherwise one after the other.
    process: (batch, { signal }) => {
      const ask = judging?.forBatch(signal);
      return mapConcurrent(batch.records, judging?.concurrency ?? 1, async (record) => {
        await yieldTurn();
        signal.throwIfAborted();
        if (ask === undefined) return analyse(record, ask);
        const outcome = done.get(record) ?? (await analyse(record, ask));
        // A failed audit is analysed again: a partition that is stopped by failures waits for just that.
        if (outcome.kind === 'ok') done.set(record, outcome);
        return outcome;
      });
    },
  };
}
