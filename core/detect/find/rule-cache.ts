import { type CompiledRules, compileRulesInSteps, NO_RULES } from './custom-rules.ts';

/**
 * Returns the compiled form of rules or settings, identified by reference, because a sandbox's version never changes.
 * Yields while it compiles: otherwise a client that creates version after version would block others for fifty patterns
 * each time.
 */
type CompiledCache<Given, Compiled> = (given: Given) => Generator<void, Compiled>;

const KEPT_LISTS = 200;

/** Caches the compiled forms of the `size` most recently used inputs. */
export function createCompiledCache<Given extends object, Compiled>(
  compile: (given: Given) => Generator<void, Compiled>,
  size = KEPT_LISTS,
): CompiledCache<Given, Compiled> {
  const kept = new Map<Given, Compiled>();
  return function* (given) {
    const compiled = kept.get(given) ?? (yield* compile(given));
    kept.delete(given);
    kept.set(given, compiled);
    if (kept.size > size) kept.delete(kept.keys().next().value as Given);
    return compiled;
  };
}

/** Caches the compiled rules of the `size` most recently used lists. */
export function createRuleCache(size = KEPT_LISTS): CompiledCache<readonly string[], CompiledRules> {
  const rulesOf = createCompiledCache(compileRulesInSteps, size);
  return function* (rules) {
    return rules.length === 0 ? NO_RULES : yield* rulesOf(rules);
  };
}
