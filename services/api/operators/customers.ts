import { type LimitOverrides, NO_OVERRIDES, recordBudget, resolveLimits } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { Directory } from '#records/directory.ts';
import type { ApiKeyRecord, CustomerRecord } from '#records/documents/records.ts';
import type { ListedApiKey } from '#records/keys/api-keys.ts';
import type {
  ApiKey,
  Customer,
  CustomerChange,
  CustomerWithSettings,
  NewCustomer,
} from '#schemas/api/customers.ts';
import type { ShownCorrelationSettings } from '#schemas/api/evidence/correlation-settings.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import {
  changedSettings,
  readSettings,
  type SettingsDependencies,
} from '../evidence/correlations/settings.ts';
import { beyondBudget } from '../operations/beyond-budget.ts';
import type { RecordDependencies } from '../operations/dependencies.ts';
import { newSeed } from '../operations/ids.ts';
import type { Once } from '../operations/once.ts';
import { pageOfIds } from '../operations/paging.ts';

/** Who changes a customer's settings through the internal interface, in the ledger. */
const PLATFORM = 'platform';

export function createCustomer<Answered>(
  dependencies: RecordDependencies,
  input: NewCustomer,
  once: Once<Customer, Answered>,
): Promise<Answered> {
  return once(async ({ id, at }) => {
    const limits = resolveLimits(input.plan);
    const { name, type, plan } = input;
    const record = await dependencies.directory.createCustomer({
      id,
      name,
      type,
      plan,
      overrides: NO_OVERRIDES,
      limits,
      createdAt: at,
    });
    return shownCustomer(record);
  });
}

export async function readCustomer(
  dependencies: RecordDependencies,
  id: string,
): Promise<CustomerWithSettings> {
  const record = await existingCustomer(dependencies.directory, id);
  // Nothing is looked for any more.
  if (record.erasure !== undefined) return shownCustomer(record);
  return withSettings(record, await readSettings(dependencies, id));
}

/** Reads only the records of the page. */
export async function listCustomers(
  dependencies: RecordDependencies,
  request: PageRequest,
): Promise<{ data: Customer[]; pagination: Pagination }> {
  const { rows, pagination } = pageOfIds(await dependencies.directory.customerIds(), request);
  const customers = await dependencies.directory.customersById(rows);
  return { data: customers.map(shownCustomer), pagination };
}

/** Applies from the customer's next request on: nothing of a customer is cached. */
export async function updateCustomer<Answered>(
  dependencies: SettingsDependencies,
  customerId: string,
  { correlation, ...change }: CustomerChange,
  once: Once<CustomerWithSettings, Answered>,
): Promise<Answered> {
  const customer = await existingCustomer(dependencies.directory, customerId);
  return once(async ({ id: changeId, at }, takenOver) => {
    // First, because a budget may refuse them: then nothing was changed.
    const settings =
      correlation === undefined
        ? await readSettings(dependencies, customerId)
        : await changedSettings(dependencies, customer, {
            changeId,
            at,
            actor: PLATFORM,
            change: correlation,
          });
    if (settings === 'ERASED') throw new Refusal('CUSTOMER_ERASED');
    const changed = await dependencies.directory.changeCustomer({
      id: customerId,
      changeId,
      takenOver,
      change: (record) => changedCustomer(record, change),
    });
    if (changed === null) throw new Refusal('NOT_FOUND');
    return withSettings(changed, settings);
  });
}

function changedCustomer(
  record: CustomerRecord,
  change: Omit<CustomerChange, 'correlation'>,
): CustomerRecord {
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
export async function eraseCustomer(dependencies: RecordDependencies, customerId: string): Promise<Customer> {
  await existingCustomer(dependencies.directory, customerId);
  const record = await dependencies.directory.eraseCustomer({ customerId, ...newSeed(dependencies) });
  if (record === null) throw new Refusal('NOT_FOUND');
  if (record === 'HELD') throw new Refusal('LEGAL_HOLD');
  return shownCustomer(record);
}

function refuseErased(record: CustomerRecord): void {
  if (record.erasure !== undefined) throw new Refusal('CUSTOMER_ERASED');
}

/** 404 for an id that no customer has. */
export async function existingCustomer(directory: Directory, id: string): Promise<CustomerRecord> {
  const customer = isId(id) ? await directory.getCustomer(id) : null;
  if (customer === null) throw new Refusal('NOT_FOUND');
  return customer;
}

/** With the key itself: only the request that made it ever sees it. */
export interface MadeApiKey {
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
  // The keys of an erased customer are revoked, though their records may remain for a moment.
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

const withSettings = (
  record: CustomerRecord,
  { windowMinutes, minSignals, dimensions }: ShownCorrelationSettings,
): CustomerWithSettings => ({
  ...shownCustomer(record),
  correlation: { windowMinutes, minSignals, dimensions },
});

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
