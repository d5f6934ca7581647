import type { Catalogue, Mapping } from '#core/evidence/frameworks/catalogues.ts';
import type { CountRule, StoredSandbox } from '#platform/warehouse/queries/evidence/attestations.ts';
import type { Framework } from '#schemas/vocabulary.ts';

/**
 * Frameworks named by the same sandboxes share a scope. One that no sandbox names covers all signals, or none with
 * `namedOnly`.
 */
export function scopesOf(
  catalogues: readonly Catalogue[],
  sandboxes: readonly StoredSandbox[],
  namedOnly: boolean,
) {
  const ids: (readonly string[] | null)[] = [];
  const numbers = new Map<string, number>();
  const byFramework = new Map<Framework, number>();
  for (const { framework } of catalogues) {
    const named = sandboxes.filter(({ regulations }) => regulations.includes(framework));
    const key = named.map(({ sandboxId }) => sandboxId).join();
    const number = numbers.get(key) ?? ids.length;
    const isAll = named.length === 0 && !namedOnly;
    if (number === ids.length) ids.push(isAll ? null : named.map(({ sandboxId }) => sandboxId));
    numbers.set(key, number);
    byFramework.set(framework, number);
  }
  return { ids, numberOf: (framework: Framework): number => byFramework.get(framework)! };
}

/** Controls with the same mapping and scope share a rule. */
export function rulesOf(catalogues: readonly Catalogue[], scopeOf: (framework: Framework) => number) {
  const list: CountRule[] = [];
  const numbers = new Map<string, number>();
  const keyOf = (scope: number, mapping: Mapping): string => JSON.stringify([scope, mapping]);
  for (const { framework, controls } of catalogues)
    for (const { mapping } of controls) {
      if (mapping === null) continue;
      const scope = scopeOf(framework);
      const key = keyOf(scope, mapping);
      if (numbers.has(key)) continue;
      numbers.set(key, list.length);
      list.push({ scope, ...mapping });
    }
  return {
    list,
    numberOf: (scope: number, mapping: Mapping): number => numbers.get(keyOf(scope, mapping))!,
  };
}
