import {
  getCorrelationSettings,
  updateCorrelationSettings,
} from '#schemas/api/evidence/correlation-settings.ts';
import * as contracts from '#schemas/api/evidence/correlations.ts';
import type { AddRoute } from '../../http/route.ts';
import { type CorrelationDependencies, detectCorrelations } from './detect-correlations.ts';
import { listCorrelations } from './list-correlations.ts';
import { readCorrelation } from './read-runs.ts';
import { readSettings, type SettingsDependencies, updateSettings } from './settings.ts';

export function correlationRoutes(
  add: AddRoute,
  dependencies: CorrelationDependencies & SettingsDependencies,
): void {
  add(contracts.detectCorrelations, ({ caller: { customerId }, body: input, sent, gone }) =>
    detectCorrelations(dependencies, { customerId, input, key: sent.idempotency(), gone }),
  );
  add(contracts.listCorrelations, async ({ caller, query }) => ({
    body: { success: true, ...(await listCorrelations(dependencies, caller.customerId, query)) },
  }));
  add(getCorrelationSettings, async ({ caller }) => ({
    body: { success: true, data: await readSettings(dependencies, caller.customerId) },
  }));
  add(updateCorrelationSettings, ({ caller, body, sent }) =>
    updateSettings(dependencies, caller, body, sent.idempotency()),
  );
  add(contracts.getCorrelation, async ({ caller, params }) => ({
    body: { success: true, data: await readCorrelation(dependencies, caller.customerId, params.id) },
  }));
}
