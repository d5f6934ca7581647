import { KIB } from '#schemas/api/contract.ts';
import { EXPORT_TYPES, exportSignals, getExportManifest } from '#schemas/api/export.ts';
import { envelope } from '../../http/envelopes.ts';
import type { AddRoute } from '../../http/route.ts';
import { createExportPermits } from '../../operations/limits/export-permits.ts';
import { type ExportDependencies, exportManifest, startExport } from './export-signals.ts';

/** Concurrent exports per process, including manifests: each may hold a connection to the warehouse. */
const PERMITS = { total: 16, perCustomer: 4 };
/** 16 KiB a second: far slower than any connection on which someone waits for a file. */
const PACE = { windowMs: 30_000, leastBytes: 480 * KIB };

export function exportRoutes(
  add: AddRoute,
  dependencies: Omit<ExportDependencies, 'permits' | 'pace'>,
): void {
  const all = { ...dependencies, permits: createExportPermits(PERMITS), pace: PACE };
  add(exportSignals, async ({ caller, query, gone }) => {
    const { plan, stream, tally } = await startExport(all, caller.customerId, query, gone);
    const asOf = new Date(plan.bound.asOf).toISOString();
    return {
      stream,
      headers: {
        'content-type': EXPORT_TYPES[plan.format],
        // Repeats the trailers, which some proxies drop: with these parameters the manifest describes this file.
        'x-as-of': asOf,
        'x-tree-size': String(plan.bound.treeSize),
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
    body: envelope(await exportManifest(all, caller.customerId, query, gone)),
  }));
}
