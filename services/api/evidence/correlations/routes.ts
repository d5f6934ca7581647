import {
  getCorrelationSettings,
  updateCorrelationSettings,
} from '#schemas/api/evidence/correlation-settings.ts';
import * as contracts from '#schemas/api/evidence/correlations.ts';
import { changedEvidence, evidence } from '../../http/envelopes.ts';
import { onceOf } from '../../http/idempotently.ts';
import type { AddRoute } from '../../http/route.ts';
import {
  readSettings,
  type SettingsDependencies,
  updateSettings,
} from '../../operations/correlation-settings.ts';
import { type CorrelationDependencies, detectCorrelations } from './detect-correlations.ts';
import { listCorrelations } from './list-correlations.ts';
import { findRun, readCorrelation } from './read-runs.ts';

/** A remembered answer could not lose signals that are erased later, so it has none. */
const startedRun = (run: contracts.ShownCorrelationRun) => ({
  shown: evidence(run),
  remembered: evidence({ ...run, patterns: null }),
  statusCode: 201,
});

export function correlationRoutes(
  add: AddRoute,
  dependencies: CorrelationDependencies & SettingsDependencies,
): void {
  const once = onceOf(dependencies);
  add(contracts.detectCorrelations, async ({ caller: { customerId }, body: input, sent, gone }) => {
    const asked = { customerId, input, gone };
    const answer = await detectCorrelations(dependencies, asked, once(customerId, sent, startedRun));
    if (answer.text === undefined) return answer;
    // A repeat shows the run as it is now, if it is still kept.
    const { data } = JSON.parse(answer.text) as { data: { id: string } };
    const current = await findRun(dependencies, customerId, data.id);
    if (current === null) return answer;
    const { text: _, ...rest } = answer;
    return { ...rest, body: evidence(current) };
  });
  add(contracts.listCorrelations, async ({ caller, query }) => ({
    body: { success: true, ...(await listCorrelations(dependencies, caller.customerId, query)) },
  }));
  add(getCorrelationSettings, async ({ caller }) => ({
    body: { success: true, data: await readSettings(dependencies, caller.customerId) },
  }));
  add(updateCorrelationSettings, ({ caller, body, sent }) =>
    updateSettings(dependencies, caller, body, once(caller.customerId, sent, changedEvidence)),
  );
  add(contracts.getCorrelation, async ({ caller, params }) => ({
    body: { success: true, data: await readCorrelation(dependencies, caller.customerId, params.id) },
  }));
}
