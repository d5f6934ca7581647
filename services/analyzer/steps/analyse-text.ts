import { detectAll } from '#core/detect/detect.ts';
import type { CompiledRules } from '#core/detect/find/custom-rules.ts';
import type { Finding } from '#core/detect/finding.ts';
import { type Assessment, assess } from '#core/detect/judge/assess.ts';
import type { SourceText } from '#core/detect/read/texts.ts';
import { explain } from '#core/detect/report/explain.ts';
import type { TripletText } from '#schemas/events/events.ts';
import type { SandboxRecord } from '#services/customers/records.ts';

export interface Analysis {
  readonly assessment: Assessment;
  readonly reasoning: string;
}

/** The texts of a triplet that are analysed. Custom fields are not: they are not kept after the text. */
export function sourcesOf(text: TripletText): SourceText[] {
  const { prompt, response, thinkingBlock } = text;
  return [
    { source: 'prompt', text: prompt },
    { source: 'response', text: response },
    ...(thinkingBlock === undefined ? [] : [{ source: 'thinkingBlock', text: thinkingBlock } as const]),
  ];
}

/** Findings of all sources, in their order. */
export const findIn = (texts: readonly SourceText[], rules: CompiledRules): Finding[] =>
  detectAll([{ texts, rules }])[0]!;

/**
 * The content of the signal for these findings, by the rules of the sandbox version that the triplet names. `notes`:
 * what else the reasoning has to say.
 */
export function weigh(
  texts: readonly SourceText[],
  findings: readonly Finding[],
  notes: readonly string[],
  sandbox: SandboxRecord,
): Analysis {
  const assessment = assess(findings, sandbox);
  // A text may contain a lone surrogate; the reasoning must not, or it could not be written as canonical JSON.
  const reasoning = wellFormed(explain(texts, findings, assessment, notes));
  return { assessment, reasoning };
}

const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
