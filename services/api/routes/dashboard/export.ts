import { KIB } from '../../../../schemas/api/contract.ts';
import { EXPORT_TYPES, exportSignals, getExportManifest } from '../../../../schemas/api/export.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { twice } from '../../use-cases/envelopes.ts';
import { type ExportParts, exportManifest, startExport } from '../../use-cases/export/export-signals.ts';
import { createExportSlots } from '../../use-cases/export/slots.ts';

/** Exports of a process that run at once, manifests too: each may hold a connection to the warehouse. */
const SLOTS = { total: 16, perCustomer: 4 };
/** 16 KiB a second: far below any line on which somebody waits for a file. */
const PACE = { windowMs: 30_000, leastBytes: 480 * KIB };

export function exportRoutes(add: AddRoute, parts: Omit<ExportParts, 'slots' | 'pace'>): void {
  const all = { ...parts, slots: createExportSlots(SLOTS), pace: PACE };
  add(exportSignals, async ({ caller, query, gone }) => {
    const { plan, stream, tally } = await startExport(all, caller.customerId, query, gone);
    const asOf = new Date(plan.bound.asOf).toISOString();
    return {
      stream,
      headers: {
        'content-type': EXPORT_TYPES[plan.format],
        'content-disposition': `attachment; filename="signals-${asOf.replace(/[-:.]/g, '')}.${plan.format}"`,
      },
      trailers: {
        'Content-Digest': tally.contentDigest,
        'X-Row-Count': () => String(tally.rowCount()),
        'X-As-Of': () => asOf,
        'X-Tree-Size': () => String(plan.bound.treeSize),
      },
    };
  });
  add(getExportManifest, async ({ caller, query, gone }) => ({
    body: twice(await exportManifest(all, caller.customerId, query, gone)),
  }));
}
