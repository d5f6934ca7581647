import { type LimitOverrides, NO_OVERRIDES, recordBudget, resolveLimits } from '../../../core/plans/plans.ts';
import type { ListedApiKey } from '../../../platform/directory/api-keys.ts';
import type { Directory } from '../../../platform/directory/directory.ts';
import type { ApiKeyRecord, CustomerRecord } from '../../../platform/directory/records.ts';
import { type IdempotencyKey, SYSTEM_SCOPE } from '../../../platform/state/port.ts';
import type { ApiKey, Customer, CustomerChange, NewCustomer } from '../../../schemas/api/customers.ts';
import type { PageRequest, Pagination } from '../../../schemas/api/paging.ts';
import { ApiError } from '../errors.ts';
import type { RecordParts } from '../parts.ts';
import type { Answer } from '../plugins/route.ts';
import { beyondBudget } from './beyond-budget.ts';
import { twice } from './envelopes.ts';
import { idempotently } from './idempotently.ts';
import { isId, newSeed } from './ids.ts';
import { pageOfIds } from './paging.ts';

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
    return { shown: twice(shownCustomer(record)) };
  });
}

export async function readCustomer(parts: RecordParts, id: string): Promise<Customer> {
  return shownCustomer(await existingCustomer(parts.directory, id));
}

/** Reads the records of the page alone. */
export async function listCustomers(
  parts: RecordParts,
  request: PageRequest,
): Promise<{ data: Customer[]; pagination: Pagination }> {
  const { rows, pagination } = pageOfIds(await parts.directory.customerIds(), request);
  const customers = await parts.directory.customersById(rows);
  return { data: customers.map(shownCustomer), pagination };
}

/** The next request of the customer already follows it: nothing of a customer is cached. */
export async function updateCustomer(
  parts: RecordParts,
  customerId: string,
  change: CustomerChange,
  key: IdempotencyKey | null,
): Promise<Answer> {
  await existingCustomer(parts.directory, customerId);
  return idempotently(parts, SYSTEM_SCOPE, key, newSeed(parts), async ({ id: changeId }, takenOver) => {
    const changed = await parts.directory.changeCustomer({
      id: customerId,
      changeId,
      takenOver,
      change: (record) => changedCustomer(record, change),
    });
    if (changed === null) throw new ApiError('NOT_FOUND');
    return { shown: twice(shownCustomer(changed)), statusCode: 200 };
  });
}

function changedCustomer(record: CustomerRecord, change: CustomerChange): CustomerRecord {
  refuseErased(record);
  const { name = record.name, plan = record.plan } = change;
  const kept = record.overrides;
  const overrides: LimitOverrides = {
    rate: change.rate === undefined ? kept.rate : change.rate,
    burst: change.burst === undefined ? kept.burst : change.burst,
    auditQuota: change.auditQuota === undefined ? kept.auditQuota : change.auditQuota,
    sandboxQuota: change.sandboxQuota === undefined ? kept.sandboxQuota : change.sandboxQuota,
  };
  return { ...record, name, plan, overrides, ...resolveLimits(plan, overrides) };
}

/** Refuses the customer at once and begins its erasure; a repeat finds the one that was begun. */
export async function eraseCustomer(parts: RecordParts, customerId: string): Promise<Customer> {
  await existingCustomer(parts.directory, customerId);
  const record = await parts.directory.eraseCustomer({ customerId, ...newSeed(parts) });
  if (record === null) throw new ApiError('NOT_FOUND');
  return shownCustomer(record);
}

function refuseErased(record: CustomerRecord): void {
  if (record.erasure !== undefined) throw new ApiError('CUSTOMER_ERASED');
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
  const customer = await existingCustomer(parts.directory, customerId);
  refuseErased(customer);
  const budget = recordBudget(customer.plan, customer.sandboxQuota);
  return idempotently(parts, SYSTEM_SCOPE, key, newSeed(parts), async ({ id, at }) => {
    const created = await parts.directory.createApiKey({ customerId, id, name, budget, createdAt: at });
    if (!created.ok) throw beyondBudget(parts, customer, created.exceeded);
    const listed = shownKey({ ...created.record, lastUsedAt: null });
    const remembered = twice(listed);
    return created.key === null
      ? { shown: remembered }
      : { shown: twice({ ...listed, key: created.key }), remembered };
  });
}

/** Reads the records of the page alone. */
export async function listApiKeys(
  parts: RecordParts,
  customerId: string,
  request: PageRequest,
): Promise<{ data: ApiKey[]; pagination: Pagination }> {
  const { erasure } = await existingCustomer(parts.directory, customerId);
  const ids = erasure === undefined ? await parts.directory.apiKeyIds(customerId) : [];
  const { rows, pagination } = pageOfIds(ids, request);
  const keys = await parts.directory.apiKeysById(customerId, rows);
  return { data: keys.map(shownKey), pagination };
}

export async function revokeApiKey(parts: RecordParts, customerId: string, keyId: string): Promise<ApiKey> {
  const { erasure } = await existingCustomer(parts.directory, customerId);
  const at = new Date(parts.now()).toISOString();
  // The keys of an erased customer are gone, though they may still be there for a moment.
  const revoked =
    isId(keyId) && erasure === undefined ? await parts.directory.revokeApiKey(customerId, keyId, at) : null;
  if (revoked === null) throw new ApiError('NOT_FOUND');
  return shownKey(revoked);
}

function shownKey(record: ApiKeyRecord & Pick<ListedApiKey, 'lastUsedAt'>): ApiKey {
  const { id, name, prefix, createdAt, lastUsedAt, status } = record;
  return { id, name, prefix, createdAt, lastUsedAt, status };
}

function shownCustomer(record: CustomerRecord): Customer {
  const { id, name, type, plan, active, overrides, ratePerSecond, burst, auditQuota, sandboxQuota } = record;
  const { createdAt, erasure } = record;
  return {
    id,
    name,
    type,
    plan,
    active,
    overrides,
    ratePerSecond,
    burst,
    auditQuota,
    sandboxQuota,
    createdAt,
    ...(erasure === undefined ? {} : { erasure }),
  };
}
