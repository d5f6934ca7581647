import type { Probe } from '#platform/process/probe.ts';
import type { Documents, Expiring } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import {
  closedWithFindings,
  deleteClearContent,
  deleteFindings,
} from '#platform/warehouse/queries/evidence/erased-rows.ts';
import { advanceErasure, erasureProgress, openErasures } from '#records/erasure/erasures.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { AUDITS } from '#schemas/tables/tables.ts';
import { closedWithAudits, unansweredAudits } from '../flush/queries.ts';
import { erasedUnansweredRow } from '../rows/audit-rows.ts';
import { scrubErased } from './scrub.ts';

interface RemovalDependencies {
  readonly warehouse: Warehouse;
  readonly documents: Documents;
  readonly expiring: Pick<Expiring, 'setIfAbsent' | 'delete'>;
  readonly logger: { warn(fields: object, message: string): void };
  readonly probe?: Probe | undefined;
}

const LEASE_MS = 10_000;

/**
 * The sink's share of customer erasures: permanently deletes what the ERASUREs have blanked, and blanks audits without
 * a signal, which no entry names. One sink at a time, only to save work; all of it is idempotent. Failures are logged
 * and retried at the next call.
 */
export async function removeErasedCustomers(dependencies: RemovalDependencies): Promise<void> {
  for (const customerId of await openErasures(dependencies.documents)) {
    await removeOne(dependencies, customerId).catch((err: unknown) =>
      dependencies.logger.warn({ customerId, err }, 'failed to delete rows of erased customer; retrying'),
    );
  }
}

async function removeOne(dependencies: RemovalDependencies, customerId: string): Promise<void> {
  const { documents, expiring, warehouse } = dependencies;
  const stored = await erasureProgress(documents, customerId);
  if (stored?.value.phase !== 'REMOVING') return;
  const lease = `lease:erasure-rows:${customerId}`;
  if (!(await expiring.setIfAbsent(lease, 'taken', LEASE_MS))) return;
  try {
    await eraseUnanswered(warehouse, customerId);
    await deleteClearContent(warehouse, customerId);
    await scrubErased(warehouse, customerId);
    dependencies.probe?.('sink.erasure-removed');
    await advanceErasure(documents, customerId, stored, { phase: 'DESTROYING' });
  } finally {
    await expiring.delete(lease);
  }
}

/**
 * Blanks audits of erased customers that entered the list after it was cleared: from requests that were in progress for
 * very long, and from their dead letters. Daily; the scrub then deletes what is hidden.
 */
export async function eraseLateAudits(warehouse: Warehouse): Promise<void> {
  for (const customerId of await closedWithAudits(warehouse)) await eraseUnanswered(warehouse, customerId);
}

/**
 * Deletes rows that entered the findings tables after their customer was erased, because a correlator or sink checked
 * before the erasure and stored late. Daily.
 */
export async function eraseLateFindings(warehouse: Warehouse): Promise<void> {
  for (const customerId of await closedWithFindings(warehouse)) await deleteFindings(warehouse, customerId);
}

async function eraseUnanswered(warehouse: Warehouse, customerId: string): Promise<void> {
  for await (const rows of unansweredAudits(warehouse, customerId)) {
    await warehouse.insert(AUDITS.name, columnNames(AUDITS), rows.map(erasedUnansweredRow));
  }
}
