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
 * The sink's part in customers' erasures: what the ERASUREs have blanked is deleted from the tables for good, and
 * audits without a signal, which no entry names, are blanked too. One sink at a time, only to save work; all of it is
 * idempotent. Failures are logged and retried at the next call.
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
 * Blanks audits of erased customers that came into the list after it was cleared: from requests that were in progress
 * for very long, and dead letters of what they sent. Daily; the scrub then deletes what is hidden.
 */
export async function eraseLateAudits(warehouse: Warehouse): Promise<void> {
  for (const customerId of await closedWithAudits(warehouse)) await eraseUnanswered(warehouse, customerId);
}

/**
 * Deletes what came into the tables of findings after their customer was erased: from a correlator or a sink that looked
 * before, and stored late. Daily.
 */
export async function eraseLateFindings(warehouse: Warehouse): Promise<void> {
  for (const customerId of await closedWithFindings(warehouse)) await deleteFindings(warehouse, customerId);
}

async function eraseUnanswered(warehouse: Warehouse, customerId: string): Promise<void> {
  for await (const rows of unansweredAudits(warehouse, customerId)) {
    await warehouse.insert(AUDITS.name, columnNames(AUDITS), rows.map(erasedUnansweredRow));
  }
}
