import type { PolicyStatus } from '#schemas/vocabulary.ts';
import type { PolicyRule } from './rules.ts';

/** Share of its maxCount at which a rule warns. */
const WARNS_FROM = 0.8;

export const isBreached = ({ maxCount }: Pick<PolicyRule, 'maxCount'>, count: number): boolean =>
  count > maxCount;

/** Status of a rule with `count` signals in its window. A rule that allows none never warns. */
function statusOf({ maxCount }: PolicyRule, count: number): PolicyStatus {
  if (isBreached({ maxCount }, count)) return 'FAIL';
  return maxCount > 0 && count >= WARNS_FROM * maxCount ? 'WARN' : 'PASS';
}

/** The worst status of the rules, each with its number of signals. */
export function policyStatus(
  rules: readonly { readonly rule: PolicyRule; readonly count: number }[],
): PolicyStatus {
  const found = new Set(rules.map(({ rule, count }) => statusOf(rule, count)));
  return found.has('FAIL') ? 'FAIL' : found.has('WARN') ? 'WARN' : 'PASS';
}

/** 0 to 1, rounded to six digits; 1 when nothing was evaluated. */
export const passRate = (evaluated: number, passing: number): number =>
  evaluated === 0 ? 1 : Math.round((passing / evaluated) * 1e6) / 1e6;
