import type { Framework, RetentionAction } from '#schemas/vocabulary.ts';
import { floorDays } from './floors.ts';

/** The scope of a policy or a hold: all signals, or those of a sandbox, of a framework, or of both. */
export interface Reach {
  readonly framework: Framework | null;
  readonly sandboxId: string | null;
}

export interface RetentionRule extends Reach {
  readonly id: string;
  readonly retentionDays: number;
  readonly action: RetentionAction;
  readonly legalHold: boolean;
  readonly active: boolean;
}

/** A sandbox with all frameworks that any of its versions ever named, so that a change cannot lower a floor. */
export interface NamedSandbox {
  readonly sandboxId: string;
  readonly frameworks: readonly string[];
}

export const reaches = ({ framework, sandboxId }: Reach, sandbox: NamedSandbox): boolean =>
  (framework === null || sandbox.frameworks.includes(framework)) &&
  (sandboxId === null || sandboxId === sandbox.sandboxId);

/**
 * The policy that decides when signals of a sandbox are erased: the one with the longest retention; of equal ones, the
 * one that anonymizes, then the older one. Holds are not considered here: they exempt signals altogether. null: no
 * policy.
 */
export function winningPolicy<Rule extends RetentionRule>(
  rules: readonly Rule[],
  sandbox: NamedSandbox,
): Rule | null {
  const candidates = rules.filter((rule) => rule.active && !rule.legalHold && reaches(rule, sandbox));
  return candidates.reduce<Rule | null>(
    (best, rule) => (best === null || isBefore(rule, best) ? rule : best),
    null,
  );
}

function isBefore(one: RetentionRule, other: RetentionRule): boolean {
  if (one.retentionDays !== other.retentionDays) return one.retentionDays > other.retentionDays;
  if (one.action !== other.action) return one.action === 'ANONYMIZE';
  return one.id < other.id;
}

/** Minimum days for which signals of a sandbox are kept, by the frameworks that active policies name. */
export function floorOf(rules: readonly RetentionRule[], sandbox: NamedSandbox): number {
  const floors = rules
    .filter((rule) => rule.active && reaches(rule, sandbox))
    .map(({ framework }) => floorDays(framework));
  return Math.max(0, ...floors);
}
