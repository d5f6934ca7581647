import { listSigningKeys, verifyHashChain } from '../../../../schemas/api/hash-chain.ts';
import type { ApiParts } from '../../parts.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { signingKeys } from '../../use-cases/signing-keys.ts';
import { type VerifyParts, verifyChain } from '../../use-cases/verify-chain.ts';

export function hashChainRoutes(add: AddRoute, parts: ApiParts & Pick<VerifyParts, 'turns'>): void {
  add(verifyHashChain, async (call) => ({
    body: { success: true, data: await verifyChain(parts, call.caller.customerId, call.gone) },
  }));
  add(listSigningKeys, async () => ({ body: { success: true, data: signingKeys(parts) } }));
}
