import { setMaxListeners } from 'node:events';
import type { Finding } from '../../../core/detect/detect.ts';
import { addJudgedInSteps, type JudgedHit } from '../../../core/detect/judged.ts';
import { redactInSteps } from '../../../core/detect/redact.ts';
import type { SourceText } from '../../../core/detect/texts.ts';
import type { SandboxRecord } from '../../../platform/directory/records.ts';
import type { StoredRecord } from '../../../platform/event-log/port.ts';
import { takeSteps } from '../../../platform/runtime/time-slice.ts';
import type { JudgedCode } from '../../../schemas/vocabulary.ts';
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
  /** Codes that it may add besides CUSTOM_RULE. */
  readonly codes: readonly JudgedCode[];
  /** pause: the audit waits until the judge answers. skip: it goes on, and the signal says that rules were not judged. */
  readonly onOutage: 'pause' | 'skip';
  /** Monotonic, ms. */
  readonly clock: () => number;
  readonly metrics: Pick<JudgeMetrics, 'notJudged'>;
}

/** An audit whose texts the detectors have seen. */
export interface Seen {
  readonly texts: readonly SourceText[];
  readonly findings: readonly Finding[];
  readonly sandbox: SandboxRecord;
}

/** What is known after the judge was asked. */
export interface Judged {
  readonly findings: readonly Finding[];
  /** Sentences for the reasoning. */
  readonly notes: readonly string[];
}

export type Ask = (record: StoredRecord, seen: Seen, giveWay: () => Promise<unknown>) => Promise<Judged>;

export interface Judging {
  readonly concurrency: number;
  /** Asks about the audits of one batch. `signal` fires when the partition is lost. */
  forBatch(signal: AbortSignal): Ask;
}

/**
 * Calls of a batch begin within this time; what comes later is not judged. A batch that took minutes would look like
 * a consumer that has died.
 */
const BATCH_MS = 15_000;
/** Calls of one audit that the endpoint's limits may turn away. */
const MAX_TURNED_AWAY = 3;

/** Asks a judge about audits, as far as their sandbox has rules that somebody has to read. */
export function createJudging({ judge, codes, onOutage, clock, metrics }: JudgingOptions): Judging {
  // Forgotten with the batch that the record came in.
  const turnedAway = new WeakMap<StoredRecord, number>();

  /** The verdict that a failed call leaves, or its error when the audit has to wait. */
  const afterFailure = (record: StoredRecord, error: JudgeUnavailable): Verdict => {
    if (onOutage === 'skip') {
      return { kind: 'NOT_JUDGED', reason: error.isLimit ? 'OVER_BUDGET' : 'UNREACHABLE' };
    }
    const times = (turnedAway.get(record) ?? 0) + (error.isLimit ? 1 : 0);
    turnedAway.set(record, times);
    // A text that is over the limits by itself would hold up its partition for good.
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
      // One listener for each call under way: more than ten are no leak here.
      setMaxListeners(0, signal);
      const limits = { signal, startBefore: clock() + BATCH_MS };
      return async (record, { texts, findings, sandbox }, giveWay) => {
        const questions = questionsOf(sandbox, codes);
        const filled = texts.filter(({ text }) => text !== '');
        if (questions.length === 0 || filled.length === 0) return { findings, notes: [] };
        const redactedTexts = await redactAll(filled, findings, giveWay);
        const verdict = await verdictOn(record, questions, redactedTexts, limits);
        const hits: readonly JudgedHit[] = verdict.kind === 'JUDGED' ? verdict.hits : [];
        return {
          findings: await takeSteps(addJudgedInSteps(texts, findings, hits), giveWay),
          notes: noteOf(verdict, questions),
        };
      };
    },
  };
}

const noHash = (): string => '';

/** The texts as they may leave the process: of every value that was found, its kind alone. */
async function redactAll(
  texts: readonly SourceText[],
  findings: readonly Finding[],
  giveWay: () => Promise<unknown>,
): Promise<SourceText[]> {
  const redacted: SourceText[] = [];
  for (const { source, text } of texts) {
    const here = findings.filter((finding) => finding.source === source);
    redacted.push({ source, text: await takeSteps(redactInSteps(text, here, 'FULL', noHash), giveWay) });
  }
  return redacted;
}
