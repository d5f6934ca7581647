import { type LimitOverrides, NO_OVERRIDES, resolveLimits } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { Customer, CustomerChange, CustomerWithSettings, NewCustomer } from '#schemas/api/customers.ts';
import type { ShownCorrelationSettings } from '#schemas/api/evidence/correlation-settings.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import {
  changedSettings,
  readSettings,
  type SettingsDependencies,
} from '../operations/correlation-settings.ts';
import type { RecordDependencies } from '../operations/dependencies.ts';
import { existingCustomer, refuseErased } from '../operations/existing-customer.ts';
import { newSeed } from '../operations/ids.ts';
import type { Once } from '../operations/once.ts';
import { pageOfIds } from '../operations/paging.ts';

/** The ledger's actor for settings that are changed through the internal interface. */
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
  // During an erasure no patterns are searched for.
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

/** Takes effect on the customer's next request: nothing about a customer is cached. */
export async function updateCustomer<Answered>(
  dependencies: SettingsDependencies,
  customerId: string,
  { correlation, ...change }: CustomerChange,
  once: Once<CustomerWithSettings, Answered>,
): Promise<Answered> {
  const customer = await existingCustomer(dependencies.directory, customerId);
  return once(async ({ id: changeId, at }, takenOver) => {
    // First, because the budget may refuse them; then nothing has changed yet.
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

/** Refuses the customer at once and starts its erasure; a repeat finds the one already started. */
export async function eraseCustomer(dependencies: RecordDependencies, customerId: string): Promise<Customer> {
  await existingCustomer(dependencies.directory, customerId);
  const record = await dependencies.directory.eraseCustomer({ customerId, ...newSeed(dependencies) });
  if (record === null) throw new Refusal('NOT_FOUND');
  if (record === 'HELD') throw new Refusal('LEGAL_HOLD');
  return shownCustomer(record);
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
