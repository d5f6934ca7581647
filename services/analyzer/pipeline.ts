import { createRuleCache } from '../../core/detect/rule-cache.ts';
import { decodeLearning } from '../../platform/codec/learn.ts';
import { ledgerRecord } from '../../platform/codec/ledger-record.ts';
import type { Codec } from '../../platform/codec/port.ts';
import type { SandboxVersions } from '../../platform/directory/sandbox-versions.ts';
import type { StoredRecord } from '../../platform/event-log/port.ts';
import { timeSlice } from '../../platform/runtime/time-slice.ts';
import { type Keyring, MasterKeyMismatch } from '../../platform/sealing/port.ts';
import { isOutage } from '../../platform/stream/outage.ts';
import type { Outcome, Process } from '../../platform/stream/outcome.ts';
import { attemptOf } from '../../platform/stream/retry-route.ts';
import { failureOf } from './failure-of.ts';
import { type FaultRule, type FaultStage, injectFault } from './faults.ts';
import { findIn, judge, sourcesOf } from './steps/analyse-text.ts';
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
}

export interface Analyzer {
  readonly process: Process;
}

/** Turns triplets into signals. Keeps nothing between audits; the text lives for one pass of `analyse`. */
export function createAnalyzer(parts: AnalyzerParts): Analyzer {
  const { codec, keyring, now, clock, randomBytes } = parts;
  const giveWay = timeSlice(clock);
  const rulesOf = createRuleCache();

  const analyse = async (record: StoredRecord): Promise<Outcome> => {
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
      const findings = await findIn(texts, rulesOf(sandbox.customRules), pause);
      const analysis = await judge(texts, findings, sandbox, pause);

      enter('emit', triplet.model);
      const facts = { attempts: attempt, durationMs: clock() - begun - waitedMs, createdAt: now() };
      const draft = draftSignal(triplet, sandbox, analysis, facts, randomBytes);
      const headers = signalHeaders(record, triplet, startedAt);
      return { kind: 'ok', forward: [await ledgerRecord(draft, { seal: keyring.seal, codec }, headers)] };
    } catch (error) {
      // No record's fault: the first is waited for, the second stops the stream before it empties the topic.
      if (isOutage(error) || error instanceof MasterKeyMismatch) throw error;
      return failureOf(error, stage, startedAt);
    }
  };

  return {
    process: async (batch, { signal }) => {
      const outcomes: Outcome[] = [];
      for (const record of batch.records) {
        await giveWay();
        signal.throwIfAborted();
        outcomes.push(await analyse(record));
      }
      return outcomes;
    },
  };
}
