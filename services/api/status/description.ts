import { runSteps, timeSlice } from '#platform/flow/time-slice.ts';
import { openApiInSteps } from '#schemas/api/openapi/openapi.ts';
import { CUSTOMER_ROUTES, OPERATOR_ROUTES } from '#schemas/api/openapi/routes.ts';
import type { ApiSettings } from '../operations/dependencies.ts';

/**
 * The OpenAPI document for these readers. It is made once, at the first request, while other requests are answered: at
 * start it would take a tenth of the time until the process is ready.
 */
export function servedDescription(
  { keyHeader, basePath }: Pick<ApiSettings, 'keyHeader' | 'basePath'>,
  readers: 'customers' | 'operators',
): () => Promise<Buffer> {
  const contracts = readers === 'customers' ? CUSTOMER_ROUTES : OPERATOR_ROUTES;
  let made: Promise<Buffer> | null = null;
  const make = async (): Promise<Buffer> => {
    const steps = openApiInSteps(contracts, { keyHeader, basePath, readers });
    const yieldTurn = timeSlice(() => performance.now());
    return Buffer.from(JSON.stringify(await runSteps(steps, yieldTurn)));
  };
  return () => (made ??= make());
}
