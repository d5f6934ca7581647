import type { Probe } from '#platform/process/probe.ts';
import type { StoredDocument } from '#platform/state/port.ts';
import { type DueSignal, dueSignals } from '#platform/warehouse/queries/evidence/retention.ts';
import { foldedIndex } from '#platform/warehouse/queries/folded.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { unchangedUsage } from '#records/changes/record-usage.ts';
import { removeErased } from '#records/correlations/remove-erased.ts';
import { getCustomer } from '#records/customers/customers.ts';
import type { Directory } from '#records/directory.ts';
import { OPEN_INCIDENT } from '#records/incidents/incident-index.ts';
import { expireErased } from '#records/packages/expire-erased.ts';
import { readHolds } from '#records/retention/legal-holds.ts';
import { type RetentionPolicy, retentionPolicies } from '#records/retention/policy-record.ts';
import {
  batchFolded,
  finishRun,
  forgetRetention,
  isRunAsked,
  noteBatch,
  type RetentionRun,
  RUN_EVERY_MS,
  startRun,
  storedRun,
} from '#records/retention/retention-run.ts';
import { MAX_ERASURE_TARGETS } from '#schemas/ledger/erasure.v1.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { type PlannedSandbox, planSandboxes } from './sandbox-plan.ts';

export type RetentionStepDependencies = Pick<
  ApiDependencies,
  'state' | 'warehouse' | 'now' | 'newId' | 'announce'
> & {
  readonly directory: Directory;
  readonly makeEntry: EntryMaker;
  readonly probe?: Probe | undefined;
  /** Signals per batch; default and maximum: as many as one ERASURE names. */
  readonly batchSignals?: number;
};

const DAY_MS = 86_400_000;
/** Sandboxes per statement. */
const SANDBOXES_AT_ONCE = 1_000;

/**
 * `done`: the next step can start at once. `waits`: for the sink or another process. Otherwise the time of the next
 * check, Unix ms.
 */
type RetentionOutcome = 'done' | 'waits' | { readonly nextAt: number };

/**
 * Takes one step of a customer's retention run, or starts a run that is due: a day after the last one, or when one was
 * requested since, at `requestedAt` (ISO 8601). The step may already have been taken, partly or by another process.
 */
export async function retentionStep(
  dependencies: RetentionStepDependencies,
  customerId: string,
  requestedAt: string | null,
): Promise<RetentionOutcome> {
  const { state, now, newId } = dependencies;
  const { documents } = state;
  const customer = await getCustomer(documents, customerId);
  if (customer?.active !== true) {
    if (customer?.erasure !== undefined) await forgetRetention(documents, customerId);
    return { nextAt: now() + RUN_EVERY_MS };
  }
  const stored = await storedRun(documents, customerId);
  if (stored !== null && stored.value.finishedAt === null) return carryOn(dependencies, customerId, stored);
  const nextAt = stored === null ? 0 : Date.parse(stored.value.startedAt) + RUN_EVERY_MS;
  if (now() < nextAt && !isRunAsked(stored?.value ?? null, requestedAt)) return { nextAt };
  const policies = await retentionPolicies(documents, customerId);
  if (!policies.some(({ active, legalHold }) => active && !legalHold))
    return { nextAt: now() + RUN_EVERY_MS };
  const at = now();
  const started = { id: newId(at), at: new Date(at).toISOString(), requestedAt };
  return afterWrite(
    dependencies,
    'api.retention-begun',
    await startRun(documents, customerId, stored, started),
  );
}

async function carryOn(
  dependencies: RetentionStepDependencies,
  customerId: string,
  stored: StoredDocument<RetentionRun>,
): Promise<RetentionOutcome> {
  const { state, warehouse, now, makeEntry, announce } = dependencies;
  const { documents } = state;
  const records = { documents, makeEntry, announce };
  const { awaited, place } = stored.value;
  if (awaited !== null) {
    if ((await foldedIndex(warehouse, customerId, awaited)) === null) return 'waits';
    await expireErased(dependencies, customerId);
    await removeErased(dependencies, customerId);
    return afterWrite(dependencies, 'api.retention-folded', await batchFolded(documents, customerId, stored));
  }
  // Read before the choice: holds and incidents created later make the write fail.
  const { holds, compared } = await readHolds(documents, customerId);
  const seen = [compared, await unchangedUsage(documents, customerId)];
  const policies = await retentionPolicies(documents, customerId);
  const planned = await planSandboxes(dependencies, customerId, policies, holds);
  const startedAt = Date.parse(stored.value.startedAt);
  const parts = partsOf(planned).filter(({ name }) => place === null || name >= place.part);
  for (const { name, policy, sandboxIds } of parts) {
    const found = await dueSignals(warehouse, customerId, {
      sandboxIds,
      action: policy.action,
      until: startedAt - policy.retentionDays * DAY_MS,
      after: place?.part === name ? place : null,
      limit: dependencies.batchSignals ?? MAX_ERASURE_TARGETS,
    });
    const last = found.at(-1);
    if (last === undefined) continue;
    const { due, held } = await withoutIncidents(dependencies, customerId, found);
    const noted = await noteBatch(
      records,
      customerId,
      stored,
      {
        policy,
        indexes: due.map(({ index }) => index),
        held,
        place: { part: name, createdAt: Date.parse(last.createdAt), auditId: last.auditId },
        at: new Date(now()).toISOString(),
      },
      seen,
    );
    if (noted) dependencies.probe?.('api.retention-noted');
    // If holds or incidents have changed, the next step chooses again.
    return 'done';
  }
  const at = new Date(now()).toISOString();
  return afterWrite(dependencies, 'api.retention-finished', await finishRun(records, customerId, stored, at));
}

/** The outcome after a write of the run; if another process was faster, its step is the next one. */
function afterWrite(
  { probe }: RetentionStepDependencies,
  point: string,
  isWritten: boolean,
): 'done' | 'waits' {
  if (isWritten) probe?.(point);
  return isWritten ? 'done' : 'waits';
}

interface Part {
  /** Ordered, and the same in every process. */
  readonly name: string;
  readonly policy: RetentionPolicy;
  readonly sandboxIds: readonly string[];
}

function partsOf(planned: readonly PlannedSandbox[]): Part[] {
  const free = planned.filter(({ held }) => !held);
  const parts: Part[] = [];
  for (const policy of new Set(free.map((one) => one.policy))) {
    const ids = free.filter((one) => one.policy === policy).map(({ sandboxId }) => sandboxId);
    for (let from = 0; from < ids.length; from += SANDBOXES_AT_ONCE) {
      const sandboxIds = ids.slice(from, from + SANDBOXES_AT_ONCE);
      parts.push({ name: `${policy.id} ${sandboxIds[0]}`, policy, sandboxIds });
    }
  }
  return parts.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** A signal stays until its incident has ended. */
async function withoutIncidents(
  { state }: RetentionStepDependencies,
  customerId: string,
  found: readonly DueSignal[],
): Promise<{ readonly due: readonly DueSignal[]; readonly held: number }> {
  const open = new Set(await state.documents.ids(customerId, OPEN_INCIDENT));
  const due = found.filter(({ auditId }) => !open.has(auditId));
  return { due, held: found.length - due.length };
}
