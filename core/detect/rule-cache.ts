import { type CompiledRules, compileRules, NO_RULES } from './custom-rules.ts';

/** The compiled rules of a list, which is told apart by its identity: a version of a sandbox never changes. */
export type RuleCache = (rules: readonly string[]) => CompiledRules;

const KEPT_LISTS = 200;

/** Keeps the compiled rules of the `size` lists that were asked for last. */
export function createRuleCache(size = KEPT_LISTS): RuleCache {
  const kept = new Map<readonly string[], CompiledRules>();
  return (rules) => {
    if (rules.length === 0) return NO_RULES;
    const compiled = kept.get(rules) ?? compileRules(rules);
    kept.delete(rules);
    kept.set(rules, compiled);
    if (kept.size > size) kept.delete(kept.keys().next().value as readonly string[]);
    return compiled;
  };
}
