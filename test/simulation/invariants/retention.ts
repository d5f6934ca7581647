import { floorDays } from '#core/evidence/retention/floors.ts';
import { type Reach, reaches } from '#core/evidence/retention/policies.ts';
import type { Decision } from '../dependencies/decisions.ts';
import { type FoldedErasure, foldedErasures } from '../erased.ts';
import type { World } from '../world-of-run.ts';
import { closedCustomers, whoseLedgerWaits } from './confirmed.ts';

const DAY_MS = 86_400_000;

/**
 * What forbids an erasure wins if it came first: when the deciding write happens, no legal hold covers the erased
 * signals and none of them has an open incident, unless a data subject asked. A client told of a hold before the
 * erasure request is never told that the erasure happened. A run erases nothing too early and nothing twice, and
 * reports the correct count.
 */
export async function retentionFaults(world: World): Promise<string[]> {
  const closed = await closedCustomers(world);
  const waits = whoseLedgerWaits(world);
  const faults: string[] = [];
  for (const { customerId } of world.promised.customers) {
    if (closed.has(customerId)) continue;
    const known = knownOf(world, customerId);
    const own = world.decisions.filter((decision) => decision.customerId === customerId);
    faults.push(...own.flatMap((decision) => decisionFaults(known, decision)));
    faults.push(...known.erasures.flatMap((erasure) => batchFaults(known, erasure)));
    faults.push(...promiseFaults(world, customerId, known));
    if (world.restoredAt === null && !waits(customerId)) faults.push(...runFaults(known));
  }
  return [...faults, ...closingFaults(world)];
}

/** Data of a customer in the tables. */
interface Known {
  readonly customerId: string;
  readonly erasures: readonly FoldedErasure[];
  /** By index, and for failed audits also by audit id. */
  readonly sandboxOf: ReadonlyMap<number | string, string>;
  readonly signals: ReadonlyMap<number, { readonly auditId: string; readonly createdAt: string }>;
  readonly frameworksOf: ReadonlyMap<string, readonly string[]>;
  readonly entries: readonly { readonly kind: string; readonly id: string; readonly core: string | null }[];
}

function knownOf({ store: { rows, ...store } }: World, customerId: string): Known {
  const isOwn = (row: { customerId: string }): boolean => row.customerId === customerId;
  const content = rows.signals.filter((row) => isOwn(row) && row.revision === 0);
  const entries = rows.entries.filter((row) => isOwn(row) && row.revision === 0);
  const frameworksOf = new Map<string, string[]>();
  for (const { kind, id, core } of entries) {
    if (kind !== 'POLICY_EVENT' || !id.startsWith('sandbox:') || core === null) continue;
    const { sandboxId, regulations } = JSON.parse(core) as { sandboxId: string; regulations: string[] };
    frameworksOf.set(sandboxId, [...(frameworksOf.get(sandboxId) ?? []), ...regulations]);
  }
  return {
    customerId,
    erasures: foldedErasures({ rows, ...store }, customerId),
    sandboxOf: new Map<number | string, string>([
      ...rows.audits.filter(isOwn).map(({ auditId, sandboxId }) => [auditId, sandboxId] as const),
      ...content.map(({ index, sandboxId }) => [index, sandboxId] as const),
    ]),
    signals: new Map(content.map((row) => [row.index, row])),
    frameworksOf,
    entries,
  };
}

const isReached = ({ frameworksOf }: Known, hold: Reach, sandboxId: string | undefined): boolean =>
  sandboxId !== undefined && reaches(hold, { sandboxId, frameworks: frameworksOf.get(sandboxId) ?? [] });

/** Sandboxes of the erased signals; the erasure of a failed audit has no index. */
const sandboxesOf = ({ sandboxOf }: Known, { id, indexes }: FoldedErasure): (string | undefined)[] =>
  indexes.length > 0
    ? indexes.map((index) => sandboxOf.get(index))
    : [sandboxOf.get(id.replace(/^signal:/, ''))];

function decisionFaults(known: Known, { entryId, holds, openIncidents }: Decision): string[] {
  const erasure = known.erasures.find(({ id }) => `ERASURE:${id}` === entryId);
  if (erasure === undefined) return [];
  const sandboxIds = sandboxesOf(known, erasure);
  const isHeld = holds.some((hold) => sandboxIds.some((sandboxId) => isReached(known, hold, sandboxId)));
  const open = erasure.indexes.flatMap((index) => known.signals.get(index)?.auditId ?? []);
  const isOpen = open.some((auditId) => openIncidents.has(auditId));
  return [
    ...(isHeld ? [`${entryId} was decided although a legal hold reaches what it names`] : []),
    ...(isOpen && erasure.reason !== 'DATA_SUBJECT_REQUEST'
      ? [`${entryId} was decided although an incident of what it names is open`]
      : []),
  ];
}

const runOf = (id: string): string | null => /^retention:(.+):\d+$/.exec(id)?.[1] ?? null;

/** No signal is erased before the shortest retention time that the policy ever had. */
function batchFaults(known: Known, { id, policyId, indexes }: FoldedErasure): string[] {
  const run = runOf(id);
  if (run === null) return [];
  const startedAt = runEvent(known, run)?.startedAt;
  const versions = known.entries.filter(
    (entry) => entry.kind === 'POLICY_EVENT' && entry.id.startsWith(`retention:${policyId}:`),
  );
  const days = versions.map(({ core }) => (JSON.parse(core!) as { retentionDays: number }).retentionDays);
  if (startedAt === undefined || days.length === 0) return [];
  const until = Date.parse(startedAt) - Math.min(...days) * DAY_MS;
  return indexes.flatMap((index) => {
    const signal = known.signals.get(index);
    if (signal === undefined) return [`batch ${id} names index ${index}, which is no signal`];
    return Date.parse(signal.createdAt) > until ? [`batch ${id} took ${signal.auditId} before its time`] : [];
  });
}

interface RunEvent {
  readonly startedAt: string;
  readonly erased: number;
  readonly anonymized: number;
}

function runEvent({ entries }: Known, run: string): RunEvent | null {
  const found = entries.find(({ kind, id }) => kind === 'EVIDENCE_EVENT' && id === `retention-run:${run}`);
  return found === undefined || found.core === null ? null : (JSON.parse(found.core) as RunEvent);
}

/** Batches of a run are numbered without a gap, erase nothing twice, and have as many signals as the run reports. */
function runFaults(known: Known): string[] {
  const runs = new Map<string, FoldedErasure[]>();
  for (const erasure of known.erasures) {
    const run = runOf(erasure.id);
    if (run !== null) runs.set(run, [...(runs.get(run) ?? []), erasure]);
  }
  return [...runs].flatMap(([run, batches]) => {
    const said = runEvent(known, run);
    const named = (scope: string): number[] =>
      batches.filter((batch) => batch.scope === scope).flatMap(({ indexes }) => indexes);
    const faults = ['ALL', 'DETAIL']
      .filter((scope) => new Set(named(scope)).size < named(scope).length)
      .map((scope) => `run ${run} names a signal twice for ${scope}`);
    const isGap = batches.some((_, n) => !batches.some(({ id }) => id === `retention:${run}:${n}`));
    if (isGap) faults.push(`run ${run} has ${batches.length} batches, and one between them is missing`);
    if (said === null) return [...faults, `run ${run} has no entry that ends it`];
    const [all, detail] = [named('ALL').length, named('DETAIL').length];
    if (said.erased !== all || said.anonymized !== detail)
      faults.push(
        `run ${run} says ${said.erased} and ${said.anonymized} signals, its batches name ${all} and ${detail}`,
      );
    return faults;
  });
}

/**
 * Policies confirmed before the first erasure request, and not changed since, forbid the erasure. A run with an older
 * state may have lost some of them.
 */
function promiseFaults({ promised, restoredAt }: World, customerId: string, known: Known): string[] {
  if (restoredAt !== null) return [];
  const isOwn = (row: { customerId: string }): boolean => row.customerId === customerId;
  const changed = new Set(promised.retentionChanges.filter(isOwn).map(({ policyId }) => policyId));
  const unchanged = promised.retentionPolicies.filter((one) => isOwn(one) && !changed.has(one.policyId));
  return promised.signalErasures.filter(isOwn).flatMap(({ signalId, reason }) => {
    const sentAtMs = Math.min(
      ...promised.erasureRequests.filter((one) => one.signalId === signalId).map(({ atMs }) => atMs),
    );
    const sandboxId = known.sandboxOf.get(signalId);
    const reaching = unchanged.filter(
      ({ atMs, policy }) => atMs < sentAtMs && isReached(known, { ...policy, sandboxId: null }, sandboxId),
    );
    const isSignal = [...known.signals.values()].some(({ auditId }) => auditId === signalId);
    const isYoung = reaching.some(({ policy: { framework, active } }) => active && floorDays(framework) > 0);
    return [
      ...(reaching.some(({ policy: { legalHold } }) => legalHold)
        ? [`the erasure of ${signalId} was confirmed, and a legal hold had been confirmed before`]
        : []),
      ...(isYoung && isSignal && reason === 'CUSTOMER_REQUEST'
        ? [`the erasure of ${signalId} was confirmed, and a framework keeps it longer`]
        : []),
    ];
  });
}

/** A hold also blocks the erasure of a customer, unless an operator accepted an older state. */
const closingFaults = ({ decisions, restoredAt }: World): string[] =>
  restoredAt !== null
    ? []
    : decisions
        .filter(({ entryId, holds }) => entryId.endsWith(':closing') && holds.length > 0)
        .map(({ customerId }) => `customer ${customerId} was closed in spite of a legal hold`);
