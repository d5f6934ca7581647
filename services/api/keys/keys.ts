import { recordBudget } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { ApiKeyRecord } from '#records/documents/api-key-record.ts';
import type { ListedApiKey } from '#records/keys/api-keys.ts';
import type { ApiKey } from '#schemas/api/customers.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import { beyondBudget } from '../operations/beyond-budget.ts';
import type { RecordDependencies } from '../operations/dependencies.ts';
import { existingCustomer, refuseErased } from '../operations/existing-customer.ts';
import type { Once } from '../operations/once.ts';
import { pageOfIds } from '../operations/paging.ts';

/** With the key itself, which only the request that made it ever sees. */
interface MadeApiKey {
  readonly listed: ApiKey;
  readonly key: string | null;
}

export async function createApiKey<Answered>(
  dependencies: RecordDependencies,
  customerId: string,
  name: string,
  once: Once<MadeApiKey, Answered>,
): Promise<Answered> {
  const customer = await existingCustomer(dependencies.directory, customerId);
  refuseErased(customer);
  return createApiKeyFor(dependencies, customer, name, once);
}

export async function createApiKeyFor<Answered>(
  dependencies: RecordDependencies,
  customer: CustomerRecord,
  name: string,
  once: Once<MadeApiKey, Answered>,
): Promise<Answered> {
  const budget = recordBudget(customer.plan, customer.sandboxQuota);
  return once(async ({ id, at }) => {
    const created = await dependencies.directory.createApiKey({
      customerId: customer.id,
      id,
      name,
      budget,
      createdAt: at,
    });
    if (!created.ok) throw beyondBudget(dependencies, customer, created.exceeded);
    return { listed: shownKey({ ...created.record, lastUsedAt: null }), key: created.key };
  });
}

/** Reads only the records of the page. */
export async function listApiKeys(
  dependencies: RecordDependencies,
  customerId: string,
  request: PageRequest,
): Promise<{ data: ApiKey[]; pagination: Pagination }> {
  const { erasure } = await existingCustomer(dependencies.directory, customerId);
  const ids = erasure === undefined ? await dependencies.directory.apiKeyIds(customerId) : [];
  const { rows, pagination } = pageOfIds(ids, request);
  const keys = await dependencies.directory.apiKeysById(customerId, rows);
  return { data: keys.map(shownKey), pagination };
}

export async function revokeApiKey(
  dependencies: RecordDependencies,
  customerId: string,
  keyId: string,
): Promise<ApiKey> {
  const { erasure } = await existingCustomer(dependencies.directory, customerId);
  const at = new Date(dependencies.now()).toISOString();
  // The keys of an erased customer are revoked, although their records may remain for a moment.
  const revoked =
    isId(keyId) && erasure === undefined
      ? await dependencies.directory.revokeApiKey(customerId, keyId, at)
      : null;
  if (revoked === null) throw new Refusal('NOT_FOUND');
  return shownKey(revoked);
}

function shownKey(record: ApiKeyRecord & Pick<ListedApiKey, 'lastUsedAt'>): ApiKey {
  const { id, name, prefix, createdAt, lastUsedAt, status } = record;
  return { id, name, prefix, createdAt, lastUsedAt, status };
}
