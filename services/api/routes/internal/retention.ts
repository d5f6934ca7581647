import { runRetention } from '#schemas/api/evidence/retention/status.ts';
import { requestRuns } from '#services/customers/retention/retention-run.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import type { AddRoute } from '../../plugins/route.ts';

export function retentionRunRoutes(
  add: AddRoute,
  { state, now }: Pick<ApiDependencies, 'state' | 'now'>,
): void {
  add(runRetention, async () => {
    const requestedAt = new Date(now()).toISOString();
    const customers = await requestRuns(state.documents, requestedAt);
    return { body: { success: true as const, data: { requestedAt, customers } } };
  });
}
