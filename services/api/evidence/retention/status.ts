import {
  countErased,
  type SandboxSignals,
  signalsBySandbox,
} from '#platform/warehouse/queries/evidence/retention.ts';
import { readHolds } from '#records/retention/legal-holds.ts';
import { type RetentionPolicy, retentionPolicies } from '#records/retention/policy-record.ts';
import { endedRun, type RetentionRun, RUN_EVERY_MS, storedRun } from '#records/retention/retention-run.ts';
import type { RetentionStatus } from '#schemas/api/evidence/retention/status.ts';
import type { RetentionDependencies } from './policies.ts';
import { type PlannedSandbox, planSandboxes } from './sandbox-plan.ts';

const DAY_MS = 86_400_000;
/** A run starts at most a day after the last one; signals still there another day later are being kept. */
const LATE_MS = 2 * DAY_MS;

/** What is stored, and what the customer's policies have yet to remove. */
export async function retentionStatus(
  dependencies: Pick<RetentionDependencies, 'state' | 'warehouse' | 'directory' | 'now'>,
  customerId: string,
): Promise<RetentionStatus> {
  const { state, warehouse, now } = dependencies;
  const { documents } = state;
  const [policies, { holds }, run] = await Promise.all([
    retentionPolicies(documents, customerId),
    readHolds(documents, customerId),
    storedRun(documents, customerId),
  ]);
  const planned = await planSandboxes(dependencies, customerId, policies, holds);
  const times = planned.map(({ sandboxId, policy }) => {
    const until = now() - policy.retentionDays * DAY_MS;
    const isDelete = policy.action === 'DELETE';
    return {
      sandboxId,
      deleteUntil: isDelete ? until : -1,
      anonymizeUntil: isDelete ? -1 : until,
    };
  });
  const [sandboxes, erasedTotal] = await Promise.all([
    signalsBySandbox(warehouse, customerId, times, LATE_MS),
    countErased(warehouse, customerId),
  ]);
  const oldest = sandboxes.map(({ oldestAt }) => oldestAt).sort()[0];
  return {
    totalSignals: sum(sandboxes, ({ signals }) => signals),
    oldestSignalAt: oldest ?? null,
    policies: policies.map((policy) => shownPolicy(policy, planned, sandboxes, run?.value ?? null, now())),
    legalHolds: holds.length,
    lastRun: run === null ? null : endedRun(run.value),
    erasedTotal,
  };
}

function shownPolicy(
  policy: RetentionPolicy,
  planned: readonly PlannedSandbox[],
  sandboxes: readonly SandboxSignals[],
  run: RetentionRun | null,
  now: number,
): RetentionStatus['policies'][number] {
  const own = new Set(planned.filter((one) => one.policy.id === policy.id).map(({ sandboxId }) => sandboxId));
  const counted = sandboxes.filter(({ sandboxId }) => own.has(sandboxId));
  const { id, name, framework, retentionDays, active, legalHold } = policy;
  const nextAt = run === null ? now : Math.max(now, Date.parse(run.startedAt) + RUN_EVERY_MS);
  return {
    id,
    name,
    framework,
    retentionDays,
    eligible: sum(counted, ({ due }) => due),
    overdue: sum(counted, ({ overdue }) => overdue),
    nextRunAt: active && !legalHold ? new Date(nextAt).toISOString() : null,
  };
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);
