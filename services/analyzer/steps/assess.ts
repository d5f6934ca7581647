import { type Assessment, assess } from '#core/detect/judge/assess.ts';
import { describeSuppressed, explain } from '#core/detect/report/explain.ts';
import type { SandboxRecord } from '#records/documents/sandbox-record.ts';
import type { AuditTriplet } from '#schemas/events/events.ts';
import type { Suppression } from '#schemas/ledger/signal.v3.ts';
import type { Audit, AuditBatch } from './audits.ts';
import type { Noted } from './judge.ts';

/** What a signal says. Of the texts, only the prompt is kept, for its fingerprint. */
export interface Assessed {
  readonly triplet: AuditTriplet;
  readonly sandbox: SandboxRecord;
  readonly assessment: Assessment;
  readonly suppressed: readonly Suppression[];
  readonly reasoning: string;
  readonly prompt: string;
}

/** The content of each signal, by the rules of the triplet's sandbox version. */
export const assessAudits = (batch: AuditBatch, noted: readonly Audit<Noted>[]): Promise<Audit<Assessed>[]> =>
  batch.each({ part: 'detect', stage: 'assess' }, noted, assessed);

function assessed({ known }: Audit<Noted>): Assessed {
  const { triplet, sandbox, texts, matches, suppressed, notes } = known;
  const assessment = assess(matches, sandbox);
  const all = suppressed.length === 0 ? notes : [...(notes ?? []), ...describeSuppressed(suppressed)];
  const reasoning = explain(texts, matches, assessment, all);
  // A text may contain a lone surrogate; the reasoning must not, or it could not be written as canonical JSON.
  const prompt = texts.find(({ source }) => source === 'prompt')!.text;
  return { triplet, sandbox, assessment, suppressed, reasoning: reasoning.toWellFormed(), prompt };
}
