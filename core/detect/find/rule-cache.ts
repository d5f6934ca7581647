import { type CompiledRules, compileRulesInSteps, NO_RULES } from './custom-rules.ts';

/**
 * The compiled rules of a list, which is identified by reference: a version of a sandbox never changes. Yields while it
 * compiles: otherwise a client that makes version after version would block others for fifty patterns each time.
 */
type RuleCache = (rules: readonly string[]) => Generator<void, CompiledRules>;

const KEPT_LISTS = 200;

/** Caches the compiled rules of the `size` most recently used lists. */
export function createRuleCache(size = KEPT_LISTS): RuleCache {
  const kept = new Map<readonly string[], CompiledRules>();
  return function* (rules) {
    if (rules.length === 0) return NO_RULES;
    const compiled = kept.get(rules) ?? (yield* compileRulesInSteps(rules));
    kept.delete(rules);
    kept.set(rules, compiled);
    if (kept.size > size) kept.delete(kept.keys().next().value as readonly string[]);
    return compiled;
  };
}
