import { recordBudget } from '#core/plans/plans.ts';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import type { AuditorRecord } from '#records/auditors/auditor-record.ts';
import type { Auditors } from '#records/auditors/auditors.ts';
import type { IssuedAuditor } from '#records/auditors/issue-auditor.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import {
  type Auditor,
  DEFAULT_DAYS,
  MAX_DAYS,
  type NewAuditor,
  type NewSharedAuditor,
} from '#schemas/api/evidence/auditors/auditors.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import { beyondBudget } from '../../operations/beyond-budget.ts';
import type { Caller } from '../../operations/caller.ts';
import type { RecordDependencies } from '../../operations/dependencies.ts';
import { existingCustomer } from '../../operations/existing-customer.ts';
import type { Seed } from '../../operations/ids.ts';
import type { Once } from '../../operations/once.ts';
import { pageOfIds } from '../../operations/paging.ts';

export type ManageDependencies = RecordDependencies & { readonly auditors: Auditors };

const DAY_MS = 86_400_000;

/** An auditor with its token, which only the issuing request ever sees. */
export interface Issued<Shown = Auditor> {
  readonly auditor: Shown;
  readonly token: string | null;
}

export function createAuditor<Answered>(
  dependencies: ManageDependencies,
  { customer, madeBy }: Caller,
  input: NewAuditor,
  once: Once<Issued, Answered>,
): Promise<Answered> {
  return once((seed) => issue(dependencies, [customer], input, madeBy, seed));
}

export async function createSharedAuditor<Answered>(
  dependencies: ManageDependencies,
  { customerIds, ...input }: NewSharedAuditor,
  once: Once<Issued<Auditor & { readonly customerIds: string[] }>, Answered>,
): Promise<Answered> {
  const ids = [...new Set(customerIds.map((id) => id.toLowerCase()))];
  const customers = await Promise.all(ids.map((id) => existingCustomer(dependencies.directory, id)));
  if (customers.some(({ erasure }) => erasure !== undefined)) throw new Refusal('CUSTOMER_ERASED');
  return once(async (seed) => {
    const { auditor, token } = await issue(dependencies, customers, input, null, seed);
    return { auditor: { ...auditor, customerIds: ids }, token };
  });
}

async function issue(
  dependencies: ManageDependencies,
  customers: readonly CustomerRecord[],
  input: NewAuditor,
  madeBy: string | null,
  { id, at }: Seed,
): Promise<Issued> {
  const issued = await dependencies.auditors.issue({
    id,
    name: input.name,
    email: input.email ?? null,
    permissions: [...new Set(input.permissions)],
    frameworks: input.frameworks === undefined ? null : [...new Set(input.frameworks)],
    periodStart: input.periodStart ?? null,
    periodEnd: input.periodEnd ?? null,
    expiresAt: expiryOf(input, at),
    createdAt: at,
    createdByKeyId: madeBy,
    grants: customers.map((customer) => ({
      customerId: customer.id,
      budget: recordBudget(customer.plan, customer.sandboxQuota),
    })),
  });
  if (!issued.ok) throw refusalOf(dependencies, customers, issued);
  return { auditor: shown(issued.record, dependencies.now()), token: issued.token };
}

function expiryOf({ expiresAt }: NewAuditor, at: string): string {
  const after = (days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();
  if (expiresAt === undefined) return after(DEFAULT_DAYS);
  if (expiresAt <= at) throw invalid('expiresAt', 'lies in the past');
  if (expiresAt > after(MAX_DAYS)) throw invalid('expiresAt', `is more than ${MAX_DAYS} days ahead`);
  return expiresAt;
}

function refusalOf(
  dependencies: ManageDependencies,
  customers: readonly CustomerRecord[],
  refused: Exclude<IssuedAuditor, { readonly ok: true }>,
): Refusal {
  if (refused.reason === 'BUDGET') {
    const customer = customers.find(({ id }) => id === refused.customerId)!;
    return beyondBudget(dependencies, customer, refused.exceeded);
  }
  const seconds = Math.ceil((Date.parse(refused.until) - dependencies.now()) / 1_000);
  return new Refusal('ACTIVE_AUDITORS_REACHED', {
    retryAfterSeconds: Math.max(1, seconds),
  });
}

/** Reads only the records of the page. */
export async function listAuditors(
  { auditors, now }: ManageDependencies,
  customerId: string,
  { range, ...request }: PageRequest & { readonly range: DateRange },
): Promise<{ data: Auditor[]; pagination: Pagination }> {
  const { rows, pagination } = pageOfIds(await auditors.ids(customerId, range), request);
  const records = await auditors.byId(customerId, rows);
  return { data: records.map((record) => shown(record, now())), pagination };
}

export async function revokeAuditor(
  { auditors, now }: ManageDependencies,
  customerId: string,
  id: string,
): Promise<Auditor> {
  const at = new Date(now()).toISOString();
  const record = isId(id) ? await auditors.revoke(customerId, id, at) : null;
  if (record === null) throw new Refusal('NOT_FOUND');
  return shown(record, now());
}

/** Revokes the token for all of its customers. Customers erased since have no record of it. */
export async function revokeSharedAuditor(
  dependencies: ManageDependencies,
  id: string,
): Promise<Auditor & { customerIds: string[] }> {
  const customerIds = isId(id) ? await dependencies.auditors.customersOf(id) : null;
  let last: Auditor | null = null;
  for (const customerId of customerIds ?? []) {
    const { erasure } = await existingCustomer(dependencies.directory, customerId);
    if (erasure === undefined) last = await revokeAuditor(dependencies, customerId, id);
  }
  if (last === null || customerIds === null) throw new Refusal('NOT_FOUND');
  return { ...last, customerIds: [...customerIds] };
}

function shown({ tokenHash: _tokenHash, ...record }: AuditorRecord, now: number): Auditor {
  const isExpired = record.status === 'active' && Date.parse(record.expiresAt) <= now;
  return {
    ...record,
    permissions: [...record.permissions],
    frameworks: record.frameworks === null ? null : [...record.frameworks],
    status: isExpired ? 'expired' : record.status,
  };
}
