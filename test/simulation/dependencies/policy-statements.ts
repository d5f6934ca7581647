import type { RISK_LEVELS } from '#schemas/vocabulary.ts';
import type { MemoryStore } from '#services/sink/testing/memory-store.ts';

type Params = Readonly<Record<string, unknown>>;
type Statement = readonly [RegExp, (store: MemoryStore, params: Params) => readonly object[]];

const isPolicy = ({ kind, id }: { kind: string; id: string }): boolean =>
  kind === 'POLICY_EVENT' && id.startsWith('policy:');
const byIndex = (one: { index: number }, other: { index: number }): number => one.index - other.index;

const policyEntries = (store: MemoryStore, customerId: unknown) =>
  store
    .final()
    .entries.filter((row) => row.customerId === customerId && isPolicy(row))
    .map(({ index, core }) => ({ index, core }))
    .sort(byIndex);
const signalsWithViolations = (store: MemoryStore, customerId: unknown) =>
  store
    .final()
    .signals.filter(
      (row) => row.customerId === customerId && row.riskLevel !== '' && row.violations.length > 0,
    )
    .sort(byIndex);

/** Statements of correlators (`platform/warehouse/queries/evidence/policies/enforcement.ts`). */
export const POLICY_STATEMENTS: readonly Statement[] = [
  [
    /SELECT DISTINCT customerId FROM entries/,
    ({ rows }, { customerIds }) =>
      rows.entries.filter(
        (row) => (customerIds as readonly string[]).includes(row.customerId) && isPolicy(row),
      ),
  ],
  [
    /SELECT newest\.1 AS index/,
    (store, { customerId, below }) => {
      const newest = new Map<string, { index: number; core: string; version: number }>();
      for (const { index, core } of policyEntries(store, customerId)) {
        if (index >= Number(below) || core === null) continue;
        const { policyId, version } = JSON.parse(core) as { policyId: string; version: number };
        if (version > (newest.get(policyId)?.version ?? 0)) newest.set(policyId, { index, core, version });
      }
      return [...newest.values()].sort(byIndex);
    },
  ],
  [
    /SELECT `index`, core FROM entries FINAL/,
    (store, { customerId, from, below }) =>
      policyEntries(store, customerId).filter(({ index }) => index >= Number(from) && index < Number(below)),
  ],
  [
    /SELECT `index`, auditId, sandboxId, sandboxSlug, riskLevel/,
    (store, { customerId, from, below, limit }) =>
      signalsWithViolations(store, customerId)
        .filter(({ index }) => index >= Number(from) && index < Number(below))
        .slice(0, Number(limit))
        .map(({ createdAt, ...row }) => ({ ...row, at: Date.parse(createdAt) })),
  ],
  [
    /SELECT hash FROM ledger WHERE/,
    ({ rows }, { customerId, index }) =>
      rows.ledger.filter((row) => row.customerId === customerId && row.index === index).slice(0, 1),
  ],
  [/SELECT max\(signals\) AS most/, mostInWindow],
];

function mostInWindow(store: MemoryStore, params: Params): object[] {
  const { customerId, upTo, levels, code, slugs, after, to, windowMs, endsFrom } = params;
  const times = signalsWithViolations(store, customerId)
    .filter(
      (row) =>
        row.index <= Number(upTo) &&
        (levels as typeof RISK_LEVELS).includes(row.riskLevel as 'LOW') &&
        (code === undefined || row.violations.includes(String(code))) &&
        (slugs === undefined ||
          (slugs as readonly string[]).includes(row.sandboxSlug.toLowerCase().replaceAll('-', '_'))),
    )
    .map(({ createdAt }) => Date.parse(createdAt))
    .filter((at) => at > (after as Date).getTime() && at <= (to as Date).getTime());
  const counts = times
    .filter((end) => end >= Number(endsFrom))
    .map((end) => times.filter((at) => at > end - Number(windowMs) && at <= end).length);
  return [{ most: Math.max(0, ...counts) }];
}
