import { advanceErasure, erasureProgress, openErasures } from '../../../platform/directory/erasures.ts';
import type { Documents, Expiring } from '../../../platform/state/port.ts';
import type { Warehouse } from '../../../platform/warehouse/port.ts';
import { columnNames } from '../../../schemas/tables/table.ts';
import { AUDITS } from '../../../schemas/tables/tables.ts';
import { erasedUnansweredRow } from '../audit-rows.ts';
import type { ErasureCrashPoint } from '../crash-points.ts';
import { closedWithAudits, deleteClearContent, unansweredAudits } from '../queries.ts';
import { scrubErased } from './scrub.ts';

export interface RemovalParts {
  readonly warehouse: Warehouse;
  readonly documents: Documents;
  readonly expiring: Pick<Expiring, 'setIfAbsent' | 'delete'>;
  readonly logger: { warn(fields: object, message: string): void };
  readonly crashPoint: (point: ErasureCrashPoint) => void;
}

const LEASE_MS = 10_000;

/**
 * The sink's part in the erasures of customers that have come to it: what the ERASUREs have blanked is taken out of the
 * tables for good, and audits without a signal, which no entry names, are blanked too. Only to spare work it is one
 * sink at a time; all of it may be done twice. What fails is logged and done at the next call.
 */
export async function removeErasedCustomers(parts: RemovalParts): Promise<void> {
  for (const customerId of await openErasures(parts.documents)) {
    await removeOne(parts, customerId).catch((err: unknown) =>
      parts.logger.warn({ customerId, err }, 'the rows of an erased customer are still in the tables'),
    );
  }
}

async function removeOne(parts: RemovalParts, customerId: string): Promise<void> {
  const { documents, expiring, warehouse } = parts;
  const stored = await erasureProgress(documents, customerId);
  if (stored?.value.phase !== 'REMOVING') return;
  const lease = `lease:erasure-rows:${customerId}`;
  if (!(await expiring.setIfAbsent(lease, 'taken', LEASE_MS))) return;
  try {
    await eraseUnanswered(warehouse, customerId);
    await deleteClearContent(warehouse, customerId);
    await scrubErased(warehouse, customerId);
    parts.crashPoint('sink.erasure-removed');
    await advanceErasure(documents, customerId, stored, { phase: 'DESTROYING' });
  } finally {
    await expiring.delete(lease);
  }
}

/**
 * Blanks audits of erased customers that came into the list after it was cleared: requests that were under way for very
 * long, and dead letters of what they sent. Daily; the scrub then deletes what is hidden.
 */
export async function eraseLateAudits(warehouse: Warehouse): Promise<void> {
  for (const customerId of await closedWithAudits(warehouse)) await eraseUnanswered(warehouse, customerId);
}

async function eraseUnanswered(warehouse: Warehouse, customerId: string): Promise<void> {
  for await (const rows of unansweredAudits(warehouse, customerId)) {
    await warehouse.insert(AUDITS.name, columnNames(AUDITS), rows.map(erasedUnansweredRow));
  }
}
