import * as contracts from '#schemas/api/evidence/correlations.ts';
import type { AddRoute } from '../../plugins/route.ts';
import {
  type CorrelationDependencies,
  detectCorrelations,
} from '../../use-cases/evidence/correlate/detect-correlations.ts';
import { listCorrelations } from '../../use-cases/evidence/correlate/list-correlations.ts';
import { readCorrelation } from '../../use-cases/evidence/correlate/read-runs.ts';

export function correlationRoutes(add: AddRoute, dependencies: CorrelationDependencies): void {
  add(contracts.detectCorrelations, ({ caller: { customerId }, body: input, sent, gone }) =>
    detectCorrelations(dependencies, { customerId, input, key: sent.idempotency(), gone }),
  );
  add(contracts.listCorrelations, async ({ caller, query }) => ({
    body: { success: true, ...(await listCorrelations(dependencies, caller.customerId, query)) },
  }));
  add(contracts.getCorrelation, async ({ caller, params }) => ({
    body: { success: true, data: await readCorrelation(dependencies, caller.customerId, params.id) },
  }));
}
