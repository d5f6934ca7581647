import { type Assessment, assess } from '../../../core/detect/assess.ts';
import { detect, type Finding, type SourceText } from '../../../core/detect/detect.ts';
import { explain } from '../../../core/detect/explain.ts';
import type { SandboxRecord } from '../../../platform/directory/records.ts';
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

/** Findings of all sources, in their order. Gives way between them, because each may be long. */
export async function findIn(
  texts: readonly SourceText[],
  sandbox: SandboxRecord,
  giveWay: () => Promise<unknown>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const text of texts) {
    await giveWay();
    findings.push(...detect([text], { customRules: sandbox.customRules }));
  }
  return findings;
}

/** What the signal says about the findings, by the rules of the sandbox version that the triplet names. */
export function judge(
  texts: readonly SourceText[],
  findings: readonly Finding[],
  sandbox: SandboxRecord,
): Analysis {
  const assessment = assess(findings, sandbox);
  // A text may hold half a surrogate pair; the reasoning must not, or it could not be written as canonical JSON.
  const reasoning = wellFormed(explain(texts, findings, assessment));
  return { assessment, reasoning };
}

const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');
