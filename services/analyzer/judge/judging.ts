import { setMaxListeners } from 'node:events';
import type { Match } from '#core/detect/find/match.ts';
import { addJudged, type JudgedHit } from '#core/detect/judge/judged.ts';
import type { SourceText } from '#core/detect/read/texts.ts';
import { redactInSteps } from '#core/detect/report/redact.ts';
import type { StoredRecord } from '#platform/event-log/port.ts';
import { runSteps, type YieldTurn } from '#platform/flow/time-slice.ts';
import type { SandboxRecord } from '#records/documents/sandbox-record.ts';
import type { JudgedCode } from '#schemas/vocabulary.ts';
import { noteOf } from './notes.ts';
import {
  type AskLimits,
  type Judge,
  type JudgeMetrics,
  JudgeUnavailable,
  type Question,
  type Verdict,
} from './port.ts';
import { questionsOf } from './questions.ts';

export interface JudgingOptions {
  readonly judge: Judge;
  /** Codes that the judge may add besides CUSTOM_RULE. */
  readonly codes: readonly JudgedCode[];
  /**
   * pause: the audit waits until the judge answers. skip: it continues, and the signal says that rules were not judged.
   */
  readonly onOutage: 'pause' | 'skip';
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly metrics: Pick<JudgeMetrics, 'notJudged'>;
}

/** An audit whose texts the detectors have scanned. */
interface Seen {
  readonly texts: readonly SourceText[];
  readonly matches: readonly Match[];
  readonly sandbox: SandboxRecord;
}

/** The result of asking the judge. */
export interface Judged {
  readonly matches: readonly Match[];
  /** Sentences for the reasoning. */
  readonly notes: readonly string[];
}

export type Ask = (record: StoredRecord, seen: Seen, yieldTurn: YieldTurn) => Promise<Judged>;

export interface Judging {
  readonly concurrency: number;
  /** Asks about the audits of one batch. `signal` fires when the partition is lost. */
  forBatch(signal: AbortSignal): Ask;
}

/**
 * Calls of a batch start within this time; later audits are not judged. A batch that took minutes would look like a
 * dead consumer.
 */
const BATCH_MS = 15_000;
/** Maximum number of calls per audit refused by the endpoint's rate limits. */
const MAX_TURNED_AWAY = 3;

/** Asks a judge about audits whose sandbox has rules that must be read and understood. */
export function createJudging({ judge, codes, onOutage, clock, metrics }: JudgingOptions): Judging {
  // Dropped together with the record's batch.
  const turnedAway = new WeakMap<StoredRecord, number>();

  /** The verdict after a failed call, or its error when the audit has to wait. */
  const afterFailure = (record: StoredRecord, error: JudgeUnavailable): Verdict => {
    if (onOutage === 'skip') {
      return { kind: 'NOT_JUDGED', reason: error.isLimit ? 'OVER_BUDGET' : 'UNREACHABLE' };
    }
    const times = (turnedAway.get(record) ?? 0) + (error.isLimit ? 1 : 0);
    turnedAway.set(record, times);
    // A text that exceeds the limits by itself would block its partition forever.
    if (times >= MAX_TURNED_AWAY) return { kind: 'NOT_JUDGED', reason: 'OVER_BUDGET' };
    throw error;
  };

  const verdictOn = async (
    record: StoredRecord,
    questions: readonly Question[],
    redactedTexts: readonly SourceText[],
    limits: AskLimits,
  ): Promise<Verdict> => {
    const verdict = await judge.ask({ questions, redactedTexts }, limits).catch((error: unknown) => {
      if (error instanceof JudgeUnavailable) return afterFailure(record, error);
      throw error;
    });
    if (verdict.kind === 'NOT_JUDGED') metrics.notJudged(verdict.reason, questions.length);
    return verdict;
  };

  return {
    concurrency: judge.concurrency,
    forBatch: (signal) => {
      // One listener per call in flight: more than ten are not a leak here.
      setMaxListeners(0, signal);
      const limits = { signal, startBefore: clock() + BATCH_MS };
      return async (record, { texts, matches, sandbox }, yieldTurn) => {
        const questions = questionsOf(sandbox, codes);
        const filled = texts.filter(({ text }) => text !== '');
        if (questions.length === 0 || filled.length === 0) return { matches, notes: [] };
        const redactedTexts = await redactAll(filled, matches, yieldTurn);
        const verdict = await verdictOn(record, questions, redactedTexts, limits);
        const hits: readonly JudgedHit[] = verdict.kind === 'JUDGED' ? verdict.hits : [];
        return {
          matches: addJudged(texts, matches, hits),
          notes: noteOf(verdict, questions),
        };
      };
    },
  };
}

const noHash = (): string => '';

/** The texts as they may leave the process: every detected value is replaced by its kind. */
async function redactAll(
  texts: readonly SourceText[],
  matches: readonly Match[],
  yieldTurn: YieldTurn,
): Promise<SourceText[]> {
  const redacted: SourceText[] = [];
  for (const { source, text } of texts) {
    const here = matches.filter((match) => match.source === source);
    redacted.push({ source, text: await runSteps(redactInSteps(text, here, 'FULL', noHash), yieldTurn) });
  }
  return redacted;
}
