import { openApi } from '#schemas/api/openapi.ts';
import { ROUTES } from '#schemas/api/routes.ts';
import type { ApiSettings } from '../../dependencies.ts';

/** The OpenAPI description, as it is served. */
export type ServedDescription = () => Buffer;

type DescribedSettings = Pick<ApiSettings, 'keyHeader'>;

const describe = ({ keyHeader }: DescribedSettings): Buffer =>
  Buffer.from(JSON.stringify(openApi(ROUTES, { keyHeader })));

/** Made before anybody asks: it takes some hundred milliseconds, in which nobody else would be answered. */
export function describeNow(settings: DescribedSettings): ServedDescription {
  const made = describe(settings);
  return () => made;
}

/** Made when somebody asks first: for those who start hundreds of services, few of which are ever asked. */
export function describeWhenAsked(settings: DescribedSettings): ServedDescription {
  let made: Buffer | null = null;
  return () => (made ??= describe(settings));
}
