import fc from 'fast-check';
import { enforcedRules, type PolicyVersion } from '#core/evidence/policies/enforced.ts';
import { DAY_MS, type PolicyRule } from '#core/evidence/policies/rules.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import type { FoldedEntry } from '#schemas/events/events.ts';
import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import {
  type CorrelatorWorld,
  enforced,
  type Given,
  Killed,
  rule,
  startCorrelatorWorld,
} from './testing/correlator-world.ts';

/**
 * However records are cut, repeated or lost from the start of the log, and however often a correlator is killed, the
 * incidents equal those of a single read of the ledger, entry by entry, counted by hand.
 */

let world: CorrelatorWorld;
beforeAll(async () => {
  world = await startCorrelatorWorld();
}, 60_000);
afterAll(() => world.close());

const HOUR_MS = 3_600_000;
const POLICIES = ['0190ffff-0000-7000-8000-0000000000a1', '0190ffff-0000-7000-8000-0000000000a2'];
const CODES = ['EMAIL', 'SSN'];
const SLUGS = ['help-desk', 'help_desk', 'sales'];

type Signal = Extract<Given, { readonly hour: number }>;
const isSignal = (given: Given): given is Signal => 'hour' in given;

const ruleOf: fc.Arbitrary<PolicyRule> = fc
  .record({
    code: fc.constantFrom('*', ...CODES),
    minRiskLevel: fc.constantFrom(...RISK_LEVELS),
    maxCount: fc.nat(3),
    windowDays: fc.constantFrom(1, 2, 30, 366),
  })
  .map(rule);
const policyOf = fc.record({
  policyId: fc.constantFrom(...POLICIES),
  rules: fc.array(ruleOf, { minLength: 1, maxLength: 3 }),
  sandboxSlugs: fc.constantFrom([], ['help-desk']),
  enforcement: fc.constantFrom('ENFORCE' as const, 'ENFORCE' as const, 'MONITOR' as const),
});
const signalOf: fc.Arbitrary<Signal> = fc.record({
  riskLevel: fc.constantFrom(...RISK_LEVELS),
  violations: fc.subarray(CODES),
  sandboxSlug: fc.constantFrom(...SLUGS),
  hour: fc.nat(96),
});

/** The ledger: versions of a policy count up. */
const ledgerOf = fc
  .array(fc.oneof({ weight: 1, arbitrary: policyOf }, { weight: 4, arbitrary: signalOf }), {
    minLength: 1,
    maxLength: 20,
    size: 'max',
  })
  .map((ops): Given[] => {
    const versions = new Map<string, number>();
    return ops.map((op) => {
      if ('hour' in op) return op;
      const version = (versions.get(op.policyId) ?? 0) + 1;
      versions.set(op.policyId, version);
      return enforced({ ...op, version });
    });
  });

/** Indexes of the signals that get an incident. */
function byHand(given: readonly Given[]): number[] {
  const policies = new Map<string, PolicyVersion>();
  const breached = new Set<string>();
  const withIncident = new Set<number>();
  for (const [index, one] of given.entries()) {
    if (!isSignal(one)) {
      policies.set(one.policy.policyId, one.policy as PolicyVersion);
      continue;
    }
    for (const policy of policies.values()) {
      for (const acting of enforcedRules(policy, 0)) {
        const key = `${policy.policyId} ${acting.digest}`;
        const counted = given
          .slice(0, index + 1)
          .filter(isSignal)
          .filter((s) => countedBy(policy, acting.rule, s));
        if (breached.has(key) || !counted.includes(one) || !isTooMany(acting.rule, counted, one)) continue;
        breached.add(key);
        withIncident.add(index);
      }
    }
  }
  return [...withIncident].sort((a, b) => a - b);
}

const countedBy = (
  { sandboxSlugs }: PolicyVersion,
  { code, minRiskLevel }: PolicyRule,
  signal: Signal,
): boolean =>
  RISK_LEVELS.indexOf(signal.riskLevel as 'LOW') >= RISK_LEVELS.indexOf(minRiskLevel) &&
  (code === '*' ? signal.violations!.length > 0 : signal.violations!.includes(code)) &&
  (sandboxSlugs.length === 0 || signal.sandboxSlug!.startsWith('help'));

/** Whether a window that includes the signal, and ends at any signal, has more signals than allowed. */
function isTooMany({ maxCount, windowDays }: PolicyRule, all: readonly Signal[], signal: Signal): boolean {
  const width = (windowDays * DAY_MS) / HOUR_MS;
  return all.some(({ hour: last }) => {
    const holds = ({ hour }: Signal): boolean => hour > last - width && hour <= last;
    return holds(signal) && all.filter(holds).length > maxCount;
  });
}

function cut(entries: readonly FoldedEntry[], sizes: readonly number[]): FoldedEntry[][] {
  const parts: FoldedEntry[][] = [];
  for (let from = 0, turn = 0; from < entries.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    parts.push(entries.slice(from, from + size));
    from += size;
  }
  return parts;
}

test('the incidents equal those counted by hand', async () => {
  await fc.assert(
    fc.asyncProperty(
      ledgerOf,
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
      fc.nat(4),
      fc.boolean(),
      async (given, sizes, kills, lost, repeats) => {
        const customerId = await world.customer();
        const entries = await world.store(customerId, given);
        const parts = cut(entries, sizes);
        // The last record is never lost, or nothing would be compared.
        const kept = parts.slice(Math.min(lost, parts.length - 1));
        const batch = world.batch(customerId, repeats ? kept.flatMap((part) => [part, part]) : kept);
        for (const killedAt of [...kills, Number.POSITIVE_INFINITY]) {
          const outcome = await world
            .correlator(killedAt)
            .process(batch)
            .catch((error: unknown) => error);
          if (outcome !== undefined && !(outcome instanceof Killed)) throw outcome;
        }
        const ids = await world.incidents.ids(customerId, {});
        const found = await Promise.all(ids.map((id) => world.incidents.byId(customerId, id)));
        const expected = expectedOf(given, entries.length - kept.flat().length);
        expect(found.map((incident) => incident!.signalId).sort()).toEqual(
          expected.map((index) => entries[index]!.id).sort(),
        );
      },
    ),
    { numRuns: 12 },
  );
}, 120_000);

/** At a first contact nothing is compared before the oldest enforced version. */
function expectedOf(given: readonly Given[], first: number): number[] {
  const policies = new Map<string, { readonly policy: PolicyVersion; readonly index: number }>();
  for (const [index, one] of given.slice(0, first).entries())
    if (!isSignal(one)) policies.set(one.policy.policyId, { policy: one.policy as PolicyVersion, index });
  const acting = [...policies.values()].filter(({ policy }) => enforcedRules(policy, 0).length > 0);
  const from = acting.length === 0 ? first : Math.min(...acting.map(({ index }) => index));
  // Earlier signals still count, but open nothing.
  return byHandFrom(given, from);
}

function byHandFrom(given: readonly Given[], from: number): number[] {
  // A policy that only monitors stands for entries that were never compared.
  const policies = given.map((one, index): Given => (index < from && !isSignal(one) ? silenced(one) : one));
  const newest = new Map<string, Given>();
  for (const one of given.slice(0, from)) if (!isSignal(one)) newest.set(one.policy.policyId, one);
  const opened = byHand([...policies.slice(0, from), ...newest.values(), ...policies.slice(from)]);
  return opened.map((index) => index - newest.size);
}

const silenced = (one: Exclude<Given, Signal>): Given => ({
  policy: { ...one.policy, enforcement: 'MONITOR' },
});
