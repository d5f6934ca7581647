import { isServedOn, SURFACES } from '../../../../schemas/api/contract.ts';
import { openApi } from '../../../../schemas/api/openapi.ts';
import * as contracts from '../../../../schemas/api/operation.ts';
import { ROUTES } from '../../../../schemas/api/routes.ts';
import type { ApiParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { docsRoutes } from './docs.ts';

export function operationRoutes(add: AddRoute, parts: ApiParts): void {
  const description = JSON.stringify(openApi(ROUTES, { keyHeader: parts.settings.keyHeader }));
  const isReadyHere = isServedOn(parts.surfaces ?? SURFACES, contracts.getReady);
  add(contracts.getRoot, async () => ({
    body: {
      name: 'Compliance Audit Service',
      openapi: '/openapi.json',
      docs: '/docs',
      health: (isReadyHere ? contracts.getReady : contracts.getLive).path,
    },
  }));
  add(contracts.getLive, async () => ({ body: { status: 'live' } }));
  add(contracts.getReady, async () => {
    const found = await parts.readiness();
    return { statusCode: found.status === 'ready' ? 200 : 503, body: found };
  });
  add(contracts.getMetrics, async () => ({ text: await parts.metrics.metrics() }));
  add(contracts.getOpenApi, async () => ({ text: description }));
  docsRoutes(add);
}
