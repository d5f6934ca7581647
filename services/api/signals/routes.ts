import { viewOf } from '#records/auditors/auditor-view.ts';
import { auditSignals } from '#schemas/api/evidence/auditors/auditor-view.ts';
import { getSignal, listSignals } from '#schemas/api/signals.ts';
import { envelope } from '../http/envelopes.ts';
import type { AddRoute } from '../http/route.ts';
import * as operations from './read-signals.ts';

export function signalRoutes(add: AddRoute, dependencies: operations.SignalDependencies): void {
  add(listSignals, async ({ caller, query }) => {
    const { signals, pagination } = await operations.listSignals(dependencies, caller.customerId, query);
    const again = query.rows === 'once' ? {} : { signals };
    return { body: { data: signals, ...again, pagination } };
  });
  add(getSignal, async ({ caller, params }) => ({
    body: envelope(await operations.readSignal(dependencies, caller.customerId, params.id)),
  }));
}

/** What an auditor may read of signals, within the limits of the token. */
export function auditorSignalRoutes(add: AddRoute, dependencies: operations.SignalDependencies): void {
  add(auditSignals, async ({ caller: { customerId, auditor }, query }) => {
    const listed = await operations.listSignals(dependencies, customerId, query, viewOf(auditor));
    return { body: { success: true, data: listed.signals, pagination: listed.pagination } };
  });
}
