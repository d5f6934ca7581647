import { listSigningKeys, verifyHashChain } from '#schemas/api/hash-chain.ts';
import type { ApiDependencies } from '../../dependencies.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { signingKeys } from '../../use-cases/evidence/signing-keys.ts';
import { type VerifyDependencies, verifyChain } from '../../use-cases/evidence/verify-chain.ts';

export function hashChainRoutes(
  add: AddRoute,
  dependencies: ApiDependencies & Pick<VerifyDependencies, 'costly'>,
): void {
  add(verifyHashChain, async (call) => ({
    body: { success: true, data: await verifyChain(dependencies, call.caller.customerId, call.gone) },
  }));
  add(listSigningKeys, async () => ({ body: { success: true, data: signingKeys(dependencies) } }));
}
