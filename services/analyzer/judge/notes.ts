import type { NotJudged, Question, Verdict } from './port.ts';

const REASONS: Readonly<Record<NotJudged, string>> = {
  UNREACHABLE: 'the language model could not be reached',
  FAILED: 'the language model did not answer for this audit',
  REFUSED: 'the language model refused to answer',
  UNREADABLE: 'the answer of the language model was unreadable',
  MANIPULATED: 'the answer of the language model failed its check',
  OVER_BUDGET: 'the limit of calls was reached',
  TOO_SLOW: 'the language model was too slow for the load',
};

const SHORTENED = 'The language model saw only the start and end of long texts.';

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** A signal's notes on a verdict, apart from its hits: what was not judged, and why. */
export function noteOf(verdict: Verdict, questions: readonly Question[]): string[] {
  if (verdict.kind === 'JUDGED') return verdict.shortened ? [SHORTENED] : [];
  const rules = questions.filter(({ ruleIndex }) => ruleIndex !== undefined).length;
  const codes = questions.length - rules;
  const what = [...counted(rules, 'custom rule', 'custom rules'), ...counted(codes, 'code', 'codes')];
  return [
    `${what.join(' and ')} ${questions.length === 1 ? 'was' : 'were'} not judged: ${REASONS[verdict.reason]}.`,
  ];
}
