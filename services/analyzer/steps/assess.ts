import { type Assessment, assess } from '#core/detect/judge/assess.ts';
import { explain } from '#core/detect/report/explain.ts';
import type { AuditTriplet } from '#schemas/events/events.ts';
import type { SandboxRecord } from '#services/customers/records.ts';
import type { Audit, AuditBatch } from './audits.ts';
import type { Fingerprinted } from './fingerprint.ts';

/** What a signal is made of. The texts are let go. */
export interface Assessed {
  readonly triplet: AuditTriplet;
  readonly sandbox: SandboxRecord;
  readonly assessment: Assessment;
  readonly reasoning: string;
  readonly fingerprint: string | null;
}

/** The content of each signal, by the rules of the sandbox version that the triplet names. */
export const assessAudits = (
  batch: AuditBatch,
  fingerprinted: readonly Audit<Fingerprinted>[],
): Promise<Audit<Assessed>[]> =>
  batch.each({ part: 'detect', stage: 'assess' }, fingerprinted, ({ known }) => {
    const { triplet, sandbox, texts, findings, notes, fingerprint } = known;
    const assessment = assess(findings, sandbox);
    const reasoning = explain(texts, findings, assessment, notes);
    // A text may contain a lone surrogate; the reasoning must not, or it could not be written as canonical JSON.
    return { triplet, sandbox, assessment, reasoning: wellFormed(reasoning), fingerprint };
  });

const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
