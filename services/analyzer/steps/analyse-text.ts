import { type Assessment, assessInSteps } from '../../../core/detect/assess.ts';
import type { CompiledRules } from '../../../core/detect/custom-rules.ts';
import { detectInSteps, type Finding } from '../../../core/detect/detect.ts';
import { explainInSteps } from '../../../core/detect/explain.ts';
import type { SourceText } from '../../../core/detect/texts.ts';
import type { SandboxRecord } from '../../../platform/directory/records.ts';
import { takeSteps } from '../../../platform/runtime/time-slice.ts';
import type { TripletText } from '../../../schemas/events/events.ts';

export interface Analysis {
  readonly assessment: Assessment;
  readonly reasoning: string;
}

/** The texts of a triplet that are looked at. Custom fields are not: they end with the text. */
export function sourcesOf(text: TripletText): SourceText[] {
  const { prompt, response, thinkingBlock } = text;
  return [
    { source: 'prompt', text: prompt },
    { source: 'response', text: response },
    ...(thinkingBlock === undefined ? [] : [{ source: 'thinkingBlock', text: thinkingBlock } as const]),
  ];
}

/** Findings of all sources, in their order. Gives way on the way, because each may be long. */
export const findIn = (
  texts: readonly SourceText[],
  rules: CompiledRules,
  giveWay: () => Promise<unknown>,
): Promise<Finding[]> => takeSteps(detectInSteps(texts, { rules }), giveWay);

/**
 * What the signal says about the findings, by the rules of the sandbox version that the triplet names. `notes`: what
 * the reasoning has to say besides.
 */
export async function weigh(
  texts: readonly SourceText[],
  findings: readonly Finding[],
  notes: readonly string[],
  sandbox: SandboxRecord,
  giveWay: () => Promise<unknown>,
): Promise<Analysis> {
  const assessment = await takeSteps(assessInSteps(findings, sandbox), giveWay);
  // A text may hold half a surrogate pair; the reasoning must not, or it could not be written as canonical JSON.
  const reasoning = wellFormed(await takeSteps(explainInSteps(texts, findings, assessment, notes), giveWay));
  return { assessment, reasoning };
}

const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
