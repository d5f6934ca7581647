import { requestRuns } from '#records/retention/retention-run.ts';
import { runRetention } from '#schemas/api/evidence/retention/status.ts';
import type { AddRoute } from '../../http/route.ts';
import type { ApiDependencies } from '../../operations/dependencies.ts';

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
