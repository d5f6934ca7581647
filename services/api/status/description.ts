import { runSteps, timeSlice } from '#platform/flow/time-slice.ts';
import { openApiInSteps } from '#schemas/api/openapi/openapi.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import type { ApiSettings } from '../operations/dependencies.ts';

/**
 * The OpenAPI description as it is served. It is made when somebody asks first, once, and others are answered meanwhile: at
 * the start it would be a tenth of what every process does until it is ready.
 */
export function servedDescription({
  keyHeader,
  basePath,
}: Pick<ApiSettings, 'keyHeader' | 'basePath'>): () => Promise<Buffer> {
  let made: Promise<Buffer> | null = null;
  const make = async (): Promise<Buffer> => {
    const yieldTurn = timeSlice(() => performance.now());
    return Buffer.from(
      JSON.stringify(await runSteps(openApiInSteps(ROUTES, { keyHeader, basePath }), yieldTurn)),
    );
  };
  return () => (made ??= make());
}
