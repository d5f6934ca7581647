import { buildPackage } from '#services/api/evidence/packages/build-package.ts';
import { type Check, SOMETHING } from './check.ts';

const MAX_BYTES = 2 ** 30;

/**
 * Builds another package of the same content: the service verifies it as its reader would, and rejects invalid data.
 */
export const newPackage: Check = async ({ world: { jobs, packageRecord, customerId } }) => {
  const dependencies = jobs();
  const watch = { maxBytes: MAX_BYTES, stop: new AbortController().signal, onProgress: () => undefined };
  try {
    const { name } = await buildPackage(dependencies, customerId, packageRecord, watch);
    await dependencies.packages.remove({ customerId, name });
    return null;
  } catch {
    return SOMETHING;
  }
};
