import type { z } from 'zod';
import { limitReached, recordBudget } from '#core/plans/plans.ts';
import { Refusal } from '#platform/flow/refusal.ts';
import type { YieldTurn } from '#platform/flow/time-slice.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import {
  normaliseSlug,
  type SandboxRecord,
  type SandboxSettings,
} from '#records/documents/sandbox-record.ts';
import { shownDetection, storedFields } from '#records/sandboxes/detection-fields.ts';
import type { ChangedSandbox } from '#records/sandboxes/sandbox-changes.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import type { NewSandbox, Sandbox, SandboxChange, sandboxReplacement } from '#schemas/api/sandboxes.ts';
import { beyondBudget } from '../operations/beyond-budget.ts';
import type { Caller } from '../operations/caller.ts';
import type { RecordDependencies } from '../operations/dependencies.ts';
import { newSeed } from '../operations/ids.ts';
import type { Once } from '../operations/once.ts';
import { pageOfIds } from '../operations/paging.ts';
import { checkSettings } from './check-settings.ts';

type SandboxDependencies = RecordDependencies & {
  /** Called between two patterns: checking a list of them takes more than one time slice. */
  readonly yieldTurn: YieldTurn;
};

export async function createSandbox<Answered>(
  dependencies: SandboxDependencies,
  caller: Caller,
  input: NewSandbox,
  once: Once<Sandbox, Answered>,
): Promise<Answered> {
  await checkSettings(input, dependencies.yieldTurn);
  const { customerId, customer } = caller;
  return once(async ({ id, at }) => {
    const quota = customer.sandboxQuota;
    const budget = recordBudget(customer.plan, quota);
    const asked = { ...storedFields(input), id, customerId, quota, budget, createdAt: at };
    const created = await dependencies.directory.createSandbox(asked);
    if (created.ok) return shownSandbox(created.record);
    if (created.reason === 'BUDGET') throw beyondBudget(dependencies, caller.customer, created.exceeded);
    if (created.reason === 'EXISTS') throw new Refusal('SANDBOX_EXISTS');
    if (created.reason === 'DELETED')
      throw new Refusal('SANDBOX_EXISTS', {
        message: 'A deleted sandbox reserves this slug. Choose another.',
      });
    throw new Refusal('SANDBOX_LIMIT_REACHED', { message: limitReached(customer.plan, 'sandbox', quota) });
  });
}

/** Changes the fields that were sent; without a difference no new version is made. */
export async function updateSandbox<Answered>(
  dependencies: SandboxDependencies,
  { customerId, customer }: Caller,
  idOrSlug: string,
  change: SandboxChange,
  once: Once<Sandbox, Answered>,
): Promise<Answered> {
  const { slug, ...fields } = change;
  await checkSettings(fields, dependencies.yieldTurn);
  const sent: Omit<SandboxChange, 'slug'> = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  );
  return once(async ({ id: changeId, at }, takenOver) => {
    const settings = (record: SandboxRecord): SandboxSettings => {
      refuseOtherSlug(record, slug);
      const { detection, ...others } = record;
      return { ...others, ...storedFields(sent, detection) } as SandboxSettings;
    };
    const budget = recordBudget(customer.plan, customer.sandboxQuota);
    const named = { customerId, idOrSlug: idOrNothing(idOrSlug) };
    const changed = await dependencies.directory.changeSandbox({
      ...named,
      at,
      changeId,
      takenOver,
      budget,
      settings,
    });
    return shownSandbox(recordOf(dependencies, customer, changed));
  });
}

/** Sets every field; fields that were not sent get their default. */
export async function replaceSandbox(
  dependencies: SandboxDependencies,
  { customerId, customer }: Caller,
  idOrSlug: string,
  { slug, ...fields }: z.output<typeof sandboxReplacement>,
): Promise<Sandbox> {
  await checkSettings(fields, dependencies.yieldTurn);
  const { id: changeId, at } = newSeed(dependencies);
  const settings = (record: SandboxRecord): SandboxSettings => {
    refuseOtherSlug(record, slug);
    return storedFields(fields);
  };
  const changed = await dependencies.directory.changeSandbox({
    customerId,
    idOrSlug: idOrNothing(idOrSlug),
    at,
    changeId,
    takenOver: false,
    budget: recordBudget(customer.plan, customer.sandboxQuota),
    settings,
  });
  return shownSandbox(recordOf(dependencies, customer, changed));
}

export async function deleteSandbox(
  dependencies: RecordDependencies,
  { customerId, customer }: Caller,
  idOrSlug: string,
): Promise<Sandbox> {
  const { id: changeId, at } = newSeed(dependencies);
  const asked = { customerId, idOrSlug: idOrNothing(idOrSlug), at, changeId, takenOver: false };
  return shownSandbox(recordOf(dependencies, customer, await dependencies.directory.deleteSandbox(asked)));
}

export async function readSandbox(
  dependencies: RecordDependencies,
  customerId: string,
  idOrSlug: string,
  includeDeleted: boolean,
): Promise<Sandbox> {
  const record = await dependencies.directory.getSandbox(customerId, idOrNothing(idOrSlug), includeDeleted);
  if (record === null) throw new Refusal('NOT_FOUND');
  return shownSandbox(record);
}

/** Reads only the records of the page, however many exist or were deleted. */
export async function listSandboxes(
  dependencies: RecordDependencies,
  customerId: string,
  includeDeleted: boolean,
  request: PageRequest,
): Promise<{ data: Sandbox[]; pagination: Pagination }> {
  const ids = await dependencies.directory.sandboxIds(customerId, includeDeleted);
  const { rows, pagination } = pageOfIds(ids, request);
  const records = await Promise.all(rows.map((id) => dependencies.directory.sandboxById(customerId, id)));
  // A sandbox may have been deleted since the ids were read.
  const shown = records.filter((record) => record !== null && (includeDeleted || record.deletedAt === null));
  return { data: (shown as SandboxRecord[]).map(shownSandbox), pagination };
}

/** Longer than any id or slug: no document has such a name. */
export function idOrNothing(idOrSlug: string): string {
  if (idOrSlug.length > 64) throw new Refusal('NOT_FOUND');
  return idOrSlug;
}

function recordOf(
  dependencies: RecordDependencies,
  customer: CustomerRecord,
  changed: ChangedSandbox,
): SandboxRecord {
  if (changed.ok) return changed.record;
  if (changed.reason === 'BUDGET') throw beyondBudget(dependencies, customer, changed.exceeded);
  throw new Refusal('NOT_FOUND');
}

function refuseOtherSlug(record: SandboxRecord, slug: string | undefined): void {
  if (slug !== undefined && normaliseSlug(slug) !== normaliseSlug(record.slug)) {
    throw new Refusal('SLUG_IMMUTABLE');
  }
}

export function shownSandbox(record: SandboxRecord): Sandbox {
  const { deletedAt, changeId: _changeId, detection, ...shown } = record;
  return {
    ...shown,
    regulations: [...record.regulations],
    customRules: [...record.customRules],
    ...shownDetection(detection),
    ...(deletedAt === null ? {} : { deletedAt }),
  };
}
