import { type Assessment, assessInSteps } from '#core/detect/judge/assess.ts';
import { explainInSteps } from '#core/detect/report/explain.ts';
import { runSteps } from '#platform/flow/time-slice.ts';
import type { AuditTriplet } from '#schemas/events/events.ts';
import type { SandboxRecord } from '#services/customers/records.ts';
import type { Audit, AuditBatch } from './audits.ts';
import type { Noted } from './judge.ts';

/** What a signal is made of. The texts are let go. */
export interface Assessed {
  readonly triplet: AuditTriplet;
  readonly sandbox: SandboxRecord;
  readonly assessment: Assessment;
  readonly reasoning: string;
}

/** The content of each signal, by the rules of the sandbox version that the triplet names. */
export const assessAudits = (
  batch: AuditBatch,
  noted: readonly Audit<Noted>[],
  yieldTurn: () => Promise<unknown>,
): Promise<Audit<Assessed>[]> =>
  batch.each({ part: 'detect', stage: 'assess' }, noted, async ({ known }) => {
    const { triplet, sandbox, texts, findings, notes } = known;
    const assessment = await runSteps(assessInSteps(findings, sandbox), yieldTurn);
    const reasoning = await runSteps(explainInSteps(texts, findings, assessment, notes), yieldTurn);
    // A text may contain a lone surrogate; the reasoning must not, or it could not be written as canonical JSON.
    return { triplet, sandbox, assessment, reasoning: wellFormed(reasoning) };
  });

const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
