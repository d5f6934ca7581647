import { viewOf } from '#records/auditors/auditor-view.ts';
import {
  auditAttestations,
  auditCoverage,
  auditIncident,
  auditIncidents,
  auditPackageDownload,
  auditPackages,
  auditSignals,
} from '#schemas/api/evidence/auditors/auditor-view.ts';
import type { AddRoute } from '../../http/route.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';
import { orRolledBack } from '../../operations/rolled-back.ts';
import { listSignals, type SignalDependencies } from '../../signals/read-signals.ts';
import { listAttestations, readCoverage } from '../attestations/attestations.ts';
import { listIncidents, type ReadDependencies, readIncident } from '../incidents/read-incidents.ts';
import { listPackages } from '../packages/read-packages.ts';
import type { AnswerPackage } from '../packages/routes.ts';

/** What an auditor reads: the same as the customer, as far as the token shows it. */
export function auditorRecordRoutes(
  add: AddRoute,
  dependencies: ApiDependencies &
    SignalDependencies &
    ReadDependencies & { readonly answerPackage: AnswerPackage },
): void {
  add(auditSignals, async ({ caller: { customerId, auditor }, query }) => {
    const { signals, pagination } = await listSignals(dependencies, customerId, query, viewOf(auditor));
    return { body: { success: true, data: signals, pagination } };
  });
  add(auditAttestations, async ({ caller: { customerId, auditor }, query }) => {
    const listed = listAttestations(dependencies, customerId, query, viewOf(auditor));
    return { body: { success: true, ...(await orRolledBack(listed)) } };
  });
  add(auditCoverage, async ({ caller: { customerId, auditor }, query }) => {
    const covered = readCoverage(dependencies, customerId, query, viewOf(auditor));
    return { body: { success: true, data: await orRolledBack(covered) } };
  });
  add(auditIncidents, async ({ caller: { customerId, auditor }, query }) => ({
    body: {
      success: true,
      ...(await listIncidents(dependencies, customerId, query, viewOf(auditor))),
    },
  }));
  add(auditIncident, async ({ caller: { customerId, auditor }, params }) => ({
    body: {
      success: true,
      data: await readIncident(dependencies, customerId, params.id, viewOf(auditor)),
    },
  }));
  add(auditPackages, async ({ caller: { customerId, auditor }, query }) => ({
    body: { success: true, ...(await listPackages(dependencies, customerId, query, viewOf(auditor))) },
  }));
  add(auditPackageDownload, ({ caller: { customerId, auditor }, params }) =>
    dependencies.answerPackage(customerId, params.id, viewOf(auditor)),
  );
}
