import type { NotJudged, Question, Verdict } from './port.ts';

const REASONS: Readonly<Record<NotJudged, string>> = {
  UNREACHABLE: 'the language model could not be reached',
  FAILED: 'the language model gave no answer for this audit',
  REFUSED: 'the language model refused to answer',
  UNREADABLE: 'the answer of the language model could not be read',
  MANIPULATED: 'the answer of the language model failed its check',
  OVER_BUDGET: 'the limit of calls was reached',
  TOO_SLOW: 'the language model was too slow for the number of audits',
};

const SHORTENED = 'The language model saw the beginnings and ends of long texts alone.';

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** What a signal says about a verdict besides its hits: what was not judged, and why. */
export function noteOf(verdict: Verdict, questions: readonly Question[]): string[] {
  if (verdict.kind === 'JUDGED') return verdict.shortened ? [SHORTENED] : [];
  const rules = questions.filter(({ ruleIndex }) => ruleIndex !== undefined).length;
  const codes = questions.length - rules;
  const what = [...counted(rules, 'custom rule', 'custom rules'), ...counted(codes, 'code', 'codes')];
  return [
    `${what.join(' and ')} ${questions.length === 1 ? 'was' : 'were'} not judged: ${REASONS[verdict.reason]}.`,
  ];
}
