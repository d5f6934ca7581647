import { cachedCheck } from '#platform/telemetry/readiness/cached-check.ts';
import { isServedOn, SURFACES } from '#schemas/api/contract.ts';
import * as contracts from '#schemas/api/operation.ts';
import type { AddRoute } from '../http/route.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';
import { servedDescription } from './description.ts';
import { docsRoutes } from './docs-routes.ts';

/** How long one check of the dependencies and the metrics serves all callers: they are the same for everyone. */
const READ_EVERY_MS = 1_000;

export function operationRoutes(add: AddRoute, dependencies: ApiDependencies): void {
  const { basePath } = dependencies.settings;
  const description = servedDescription(dependencies.settings, 'customers');
  const operatorDescription = servedDescription(dependencies.settings, 'operators');
  const isReadyHere = isServedOn(dependencies.surfaces ?? SURFACES, contracts.getReady);
  const ready = cachedCheck(READ_EVERY_MS, dependencies.now, async () => {
    const body = await dependencies.readiness();
    return { statusCode: body.status === 'unready' ? 503 : 200, text: JSON.stringify(body) };
  });
  const metrics = cachedCheck(READ_EVERY_MS, dependencies.now, async () => ({
    bytes: Buffer.from(await dependencies.metrics.metrics()),
  }));
  const root = {
    name: 'Compliance Audit Service',
    openapi: `${basePath}/openapi.json`,
    docs: `${basePath}/docs`,
    ui: `${basePath}/ui/`,
    health: basePath + (isReadyHere ? contracts.getReady : contracts.getLive).path,
  };
  add(contracts.getRoot, async ({ accepts }) =>
    accepts.types.includes('text/html')
      ? {
          statusCode: 302,
          body: root,
          headers: { vary: 'Accept', location: basePath === '' ? 'ui/' : root.ui },
        }
      : { body: root, headers: { vary: 'Accept' } },
  );
  add(contracts.getLive, async () => ({ body: { status: 'live' } }));
  add(contracts.getReady, ready);
  add(contracts.getMetrics, metrics);
  add(contracts.getOpenApi, async () => ({ bytes: await description() }));
  add(contracts.getOperatorOpenApi, async () => ({ bytes: await operatorDescription() }));
  docsRoutes(add);
}
