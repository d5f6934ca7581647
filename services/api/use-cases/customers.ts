import { NO_OVERRIDES, resolveLimits } from '../../../core/plans/plans.ts';
import type { ListedApiKey } from '../../../platform/directory/api-keys.ts';
import type { Directory } from '../../../platform/directory/directory.ts';
import type { ApiKeyRecord, CustomerRecord } from '../../../platform/directory/records.ts';
import { type IdempotencyKey, SYSTEM_SCOPE } from '../../../platform/state/port.ts';
import type { ApiKey, NewCustomer } from '../../../schemas/api/customers.ts';
import { ApiError } from '../errors.ts';
import type { RecordParts } from '../parts.ts';
import type { Answer } from '../plugins/route.ts';
import { twice } from './envelopes.ts';
import { idempotently } from './idempotently.ts';
import { isId, newSeed } from './ids.ts';

export function createCustomer(
  parts: RecordParts,
  input: NewCustomer,
  key: IdempotencyKey | null,
): Promise<Answer> {
  return idempotently(parts, SYSTEM_SCOPE, key, newSeed(parts), async ({ id, at }) => {
    const limits = resolveLimits(input.plan);
    const { name, type, plan } = input;
    const record = await parts.directory.createCustomer({
      id,
      name,
      type,
      plan,
      overrides: NO_OVERRIDES,
      limits,
      createdAt: at,
    });
    return { shown: twice(record) };
  });
}

/** 404 for an id that no customer has. */
export async function existingCustomer(directory: Directory, id: string): Promise<CustomerRecord> {
  const customer = isId(id) ? await directory.getCustomer(id) : null;
  if (customer === null) throw new ApiError('NOT_FOUND');
  return customer;
}

export async function createApiKey(
  parts: RecordParts,
  customerId: string,
  name: string,
  key: IdempotencyKey | null,
): Promise<Answer> {
  await existingCustomer(parts.directory, customerId);
  return idempotently(parts, SYSTEM_SCOPE, key, newSeed(parts), async ({ id, at }) => {
    const created = await parts.directory.createApiKey({ customerId, id, name, createdAt: at });
    const listed = shownKey({ ...created.record, lastUsedAt: null });
    const remembered = twice(listed);
    return created.key === null
      ? { shown: remembered }
      : { shown: twice({ ...listed, key: created.key }), remembered };
  });
}

export async function listApiKeys(parts: RecordParts, customerId: string): Promise<ApiKey[]> {
  await existingCustomer(parts.directory, customerId);
  return (await parts.directory.listApiKeys(customerId)).map(shownKey);
}

export async function revokeApiKey(parts: RecordParts, customerId: string, keyId: string): Promise<ApiKey> {
  await existingCustomer(parts.directory, customerId);
  const at = new Date(parts.now()).toISOString();
  const revoked = isId(keyId) ? await parts.directory.revokeApiKey(customerId, keyId, at) : null;
  if (revoked === null) throw new ApiError('NOT_FOUND');
  return shownKey(revoked);
}

function shownKey(record: ApiKeyRecord & Pick<ListedApiKey, 'lastUsedAt'>): ApiKey {
  const { id, name, prefix, createdAt, lastUsedAt, status } = record;
  return { id, name, prefix, createdAt, lastUsedAt, status };
}
