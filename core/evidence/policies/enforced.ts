import { hash } from 'node:crypto';
import type { PolicyEnforcement } from '#schemas/vocabulary.ts';
import { canonicalJson } from '../canonical-json.ts';
import { counts, type PolicyRule, type RuledSignal } from './rules.ts';

/** A version of a policy, as in its ledger entry. */
export interface PolicyVersion {
  readonly policyId: string;
  readonly version: number;
  readonly sandboxSlugs: readonly string[];
  readonly rules: readonly PolicyRule[];
  readonly enforcement: PolicyEnforcement;
  readonly active: boolean;
  readonly deletedAt: string | null;
}

/** A rule whose breaches open incidents, from the current version of its policy. */
export interface EnforcedRule {
  readonly policyId: string;
  readonly version: number;
  /** Index of the version's entry: the rule applies to later signals. */
  readonly since: number;
  /** Unchanged while the content of the rule is, in any version and position. */
  readonly digest: string;
  /** Slugs with `_` for `-`; null: all sandboxes. */
  readonly slugs: ReadonlySet<string> | null;
  readonly rule: PolicyRule;
}

/** A folded signal. */
export interface FoldedSignal extends RuledSignal {
  readonly index: number;
  readonly auditId: string;
  readonly sandboxId: string;
  readonly sandboxSlug: string;
  readonly regulation: readonly string[];
  /** Unix ms. */
  readonly at: number;
}

const BREACH_TAG = 'cas/policy-incident/v1\0';
const RULE_TAG = 'cas/policy-rule/v1\0';
/** Version and variant bits of a UUID made from a hash (RFC 9562, version 8). */
const [UUID_VERSION, UUID_VARIANT] = [0x80, 0x80];

const matchedSlug = (slug: string): string => slug.toLowerCase().replaceAll('-', '_');

/** The rules that a version enforces; none if it does not enforce, is not active or deletes the policy. */
export function enforcedRules(version: PolicyVersion, since: number): EnforcedRule[] {
  const { policyId, sandboxSlugs, rules, enforcement, active, deletedAt } = version;
  if (enforcement !== 'ENFORCE' || !active || deletedAt !== null) return [];
  const slugs = sandboxSlugs.length === 0 ? null : new Set(sandboxSlugs.map(matchedSlug));
  const acting = rules.filter(({ action }) => action === 'OPEN_INCIDENT');
  // A rule that occurs twice in a policy acts once.
  const byDigest = new Map(acting.map((rule) => [digestOf(rule), rule]));
  return [...byDigest].map(([digest, rule]) => ({
    policyId,
    version: version.version,
    since,
    digest,
    slugs,
    rule,
  }));
}

const digestOf = (rule: PolicyRule): string =>
  hash('sha256', RULE_TAG + canonicalJson(rule as unknown as Record<string, string | number>), 'hex').slice(
    0,
    32,
  );

/** Whether a rule counts a signal, including its sandboxes. */
const countsIn = (
  { slugs, rule }: Pick<EnforcedRule, 'slugs' | 'rule'>,
  signal: Pick<FoldedSignal, 'riskLevel' | 'violations' | 'sandboxSlug'>,
): boolean => counts(rule, signal) && (slugs === null || slugs.has(matchedSlug(signal.sandboxSlug)));

/** Id of the incident that a breach opens: the same every time the breach is detected. */
export function breachIncidentId(
  customerId: string,
  { policyId, version, digest }: Pick<EnforcedRule, 'policyId' | 'version' | 'digest'>,
  auditId: string,
): string {
  const text = BREACH_TAG + canonicalJson({ customerId, policyId, version, rule: digest, auditId });
  const bytes = hash('sha256', Buffer.from(text), 'buffer').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | UUID_VERSION;
  bytes[8] = (bytes[8]! & 0x3f) | UUID_VARIANT;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * A customer's enforced policies, from its ledger up to an index. Entries are applied in index order; an older version
 * changes nothing.
 */
export class EnforcedPolicies {
  readonly #rules = new Map<string, readonly EnforcedRule[]>();
  readonly #versions = new Map<string, number>();

  apply(version: PolicyVersion, index: number): void {
    if (version.version <= (this.#versions.get(version.policyId) ?? 0)) return;
    this.#versions.set(version.policyId, version.version);
    const rules = enforcedRules(version, index);
    if (rules.length === 0) this.#rules.delete(version.policyId);
    else this.#rules.set(version.policyId, rules);
  }

  /** For an erased customer, whose policies are blank. */
  clear(): void {
    this.#rules.clear();
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** Number of rules, for memory limits. */
  get size(): number {
    let size = 0;
    for (const rules of this.#rules.values()) size += rules.length;
    return size;
  }

  /** Lowest index from which a rule applies; null: no rules. */
  get since(): number | null {
    const all = [...this.#rules.values()].map(([first]) => first!.since);
    return all.length === 0 ? null : Math.min(...all);
  }

  /** The rules that count a signal. */
  counting(signal: Pick<FoldedSignal, 'riskLevel' | 'violations' | 'sandboxSlug'>): EnforcedRule[] {
    if (signal.violations.length === 0) return [];
    return [...this.#rules.values()].flatMap((rules) => rules.filter((one) => countsIn(one, signal)));
  }
}
