import type { AuditorView } from '#records/auditors/auditor-view.ts';
import { viewOf } from '#records/auditors/auditor-view.ts';
import { KIB } from '#schemas/api/contract.ts';
import { auditPackageDownload, auditPackages } from '#schemas/api/evidence/auditors/auditor-view.ts';
import * as contracts from '#schemas/api/evidence/packages.ts';
import { madeEvidence } from '../../http/envelopes.ts';
import { onceOf } from '../../http/idempotently.ts';
import type { AddRoute } from '../../http/route.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { createExportPermits } from '../../operations/limits/export-permits.ts';
import { orRolledBack } from '../../operations/rolled-back.ts';
import { downloadPackage } from './download-package.ts';
import { listPackages, packageById, shownPackage } from './read-packages.ts';
import { createPackage } from './request-package.ts';

/** Concurrent downloads per process, of customers and their auditors: each holds a file open. */
const DOWNLOADS = { total: 32, perCustomer: 4 };
/** 16 KiB a second: far slower than any connection on which someone waits for a file. */
const PACE = { windowMs: 30_000, leastBytes: 480 * KIB };

/** Answers with the archive; `view`: only if it is visible to an auditor's token. */
type AnswerPackage = ReturnType<typeof packageDownloads>;

export function packageDownloads(dependencies: ApiDependencies) {
  const downloads = { ...dependencies, permits: createExportPermits(DOWNLOADS), pace: PACE };
  return async (customerId: string, id: string, view?: AuditorView) => {
    const { record, file, stream } = await downloadPackage(downloads, customerId, id, view);
    return {
      stream,
      headers: {
        'content-type': 'application/zip',
        'content-length': String(file.sizeBytes),
        'content-disposition': `attachment; filename="evidence-${record.framework}-${record.id}.zip"`,
      },
    };
  };
}

export function packageRoutes(
  add: AddRoute,
  dependencies: ApiDependencies & { readonly answerPackage: AnswerPackage },
): void {
  const once = onceOf(dependencies);
  add(contracts.createPackage, ({ caller, body, sent }) =>
    orRolledBack(createPackage(dependencies, caller, body, once(caller.customerId, sent, madeEvidence))),
  );
  add(contracts.listPackages, async ({ caller, query }) => ({
    body: { success: true, ...(await listPackages(dependencies, caller.customerId, query)) },
  }));
  add(contracts.getPackage, async ({ caller, params }) => ({
    body: {
      success: true,
      data: shownPackage(await packageById(dependencies, caller.customerId, params.id)),
    },
  }));
  add(contracts.downloadPackage, ({ caller, params }) =>
    dependencies.answerPackage(caller.customerId, params.id),
  );
}

/** What an auditor may read of packages, within the limits of the token. */
export function auditorPackageRoutes(
  add: AddRoute,
  dependencies: ApiDependencies & { readonly answerPackage: AnswerPackage },
): void {
  add(auditPackages, async ({ caller: { customerId, auditor }, query }) => ({
    body: { success: true, ...(await listPackages(dependencies, customerId, query, viewOf(auditor))) },
  }));
  add(auditPackageDownload, ({ caller: { customerId, auditor }, params }) =>
    dependencies.answerPackage(customerId, params.id, viewOf(auditor)),
  );
}
