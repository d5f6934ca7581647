import {
  API_KEYS,
  apiKeyClaim,
  CUSTOMERS,
  type CustomerAdmission,
  type IdempotencyKey,
  type ReserveRequest,
  SANDBOX_SLUGS,
  type SandboxHead,
  type State,
} from '../port.ts';

export const CUSTOMER = 'cus-1';
export const KEY_ID = 'key-1';
export const KEY_HASH = 'a1'.repeat(32);
/** 2026-11-21T12:00:00Z. */
export const NOON = Date.UTC(2026, 10, 21, 12);

export const customer = (overrides: Partial<CustomerAdmission> = {}): CustomerAdmission => ({
  ratePerSecond: 10,
  burst: 20,
  auditQuota: null,
  active: true,
  ...overrides,
});

export const sandbox = (slug: string, overrides: Partial<SandboxHead> = {}): SandboxHead => ({
  sandboxId: `id-of-${slug}`,
  sandboxVersion: 3,
  slug,
  active: true,
  deleted: false,
  ...overrides,
});

export async function putCustomer(state: State, value: CustomerAdmission): Promise<void> {
  await state.documents.write(CUSTOMER, [{ collection: CUSTOMERS, id: CUSTOMER, value }]);
}

export async function putSandbox(state: State, normalisedSlug: string, head: SandboxHead): Promise<void> {
  await state.documents.write(CUSTOMER, [{ collection: SANDBOX_SLUGS, id: normalisedSlug, value: head }]);
}

/** A customer with an active key and the sandbox `support-bot`. */
export async function seedCustomer(state: State, overrides: Partial<CustomerAdmission> = {}): Promise<void> {
  await state.documents.write(
    CUSTOMER,
    [
      { collection: CUSTOMERS, id: CUSTOMER, value: customer(overrides) },
      { collection: API_KEYS, id: KEY_ID, value: { status: 'active', keyHash: KEY_HASH } },
      { collection: SANDBOX_SLUGS, id: 'support_bot', value: sandbox('support-bot') },
    ],
    [{ name: apiKeyClaim(KEY_HASH), value: { customerId: CUSTOMER, keyId: KEY_ID } }],
  );
}

export const idempotencyKey = (key: string, bodyDigest = 'd1'): IdempotencyKey => ({ key, bodyDigest });

/** A reservation of one audit per id, with `slugs` in the same order; `support_bot` for missing ones. */
export const reserveRequest = (
  auditIds: readonly string[],
  overrides: Partial<ReserveRequest> & { slugs?: readonly string[] } = {},
): ReserveRequest => {
  const { slugs = [], ...rest } = overrides;
  return {
    customerId: CUSTOMER,
    items: auditIds.map((auditId, position) => ({
      slug: slugs[position] ?? 'support_bot',
      provider: 'openai',
      model: 'gpt-5',
      auditId,
    })),
    extraRateCost: 0,
    idempotency: null,
    acceptedAt: NOON,
    nonce: 'ab'.repeat(32),
    ...rest,
  };
};
