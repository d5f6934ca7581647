import { isSentence } from '#core/detect/find/custom-rules.ts';
import type { SandboxRecord } from '#records/documents/sandbox-record.ts';
import { isReported, type JudgedCode } from '#schemas/vocabulary.ts';
import { CODE_RULES } from './codes.ts';
import type { Question } from './port.ts';

/**
 * The questions about an audit in a sandbox: its custom rules that are sentences, and those of `codes` that it reports.
 */
export function questionsOf(
  { customRules, sandboxType }: Pick<SandboxRecord, 'customRules' | 'sandboxType'>,
  codes: readonly JudgedCode[],
): Question[] {
  const rules = customRules.flatMap((rule, ruleIndex): Question[] =>
    isSentence(rule) ? [{ code: 'CUSTOM_RULE', ruleIndex, rule }] : [],
  );
  const reported = codes.filter((code) => isReported(sandboxType, code));
  return [...rules, ...reported.map((code) => ({ code, rule: CODE_RULES[code] }))];
}
