import type { z } from 'zod';
import { faultsInSteps } from '../../../core/detect/custom-rules.ts';
import { limitReached, recordBudget } from '../../../core/plans/plans.ts';
import {
  type CustomerRecord,
  normaliseSlug,
  type SandboxRecord,
  type SandboxSettings,
} from '../../../platform/directory/records.ts';
import type { ChangedSandbox } from '../../../platform/directory/sandbox-changes.ts';
import { takeSteps } from '../../../platform/runtime/time-slice.ts';
import type { IdempotencyKey } from '../../../platform/state/port.ts';
import type { PageRequest, Pagination } from '../../../schemas/api/paging.ts';
import type {
  NewSandbox,
  Sandbox,
  SandboxChange,
  sandboxReplacement,
} from '../../../schemas/api/sandboxes.ts';
import { ApiError, unavailable } from '../errors.ts';
import type { RecordParts } from '../parts.ts';
import type { Caller } from '../plugins/authentication.ts';
import type { Answer } from '../plugins/route.ts';
import { beyondBudget } from './beyond-budget.ts';
import { twice } from './envelopes.ts';
import { idempotently } from './idempotently.ts';
import { newSeed } from './ids.ts';
import { pageOfIds } from './paging.ts';

type SandboxParts = RecordParts & {
  /** Between two rules that are checked: a list of patterns is more than one stretch of work. */
  readonly giveWay: () => Promise<unknown>;
};

export async function createSandbox(
  parts: SandboxParts,
  caller: Caller,
  input: NewSandbox,
  key: IdempotencyKey | null,
): Promise<Answer> {
  await checkRules(parts, input.customRules);
  const { customerId, customer } = caller;
  return idempotently(parts, customerId, key, newSeed(parts), async ({ id, at }) => {
    const quota = customer.sandboxQuota;
    const budget = recordBudget(customer.plan, quota);
    const asked = { ...input, id, customerId, quota, budget, createdAt: at };
    const created = await parts.directory.createSandbox(asked);
    if (created.ok) return { shown: twice(shownSandbox(created.record)) };
    if (created.reason === 'BUDGET') throw beyondBudget(parts, caller.customer, created.exceeded);
    if (created.reason === 'EXISTS') throw new ApiError('SANDBOX_EXISTS');
    if (created.reason === 'CONTENDED') throw unavailable(new Error('too many sandboxes at the same time'));
    throw new ApiError('SANDBOX_LIMIT_REACHED', { message: limitReached(customer.plan, 'sandbox', quota) });
  });
}

/** Changes what is sent; without a difference there is no new version. */
export async function updateSandbox(
  parts: SandboxParts,
  { customerId, customer }: Caller,
  idOrSlug: string,
  change: SandboxChange,
  key: IdempotencyKey | null,
): Promise<Answer> {
  const { slug, ...fields } = change;
  await checkRules(parts, fields.customRules ?? []);
  const sent: Partial<SandboxSettings> = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  );
  return idempotently(parts, customerId, key, newSeed(parts), async ({ id: changeId, at }, takenOver) => {
    const settings = (record: SandboxRecord): SandboxSettings => {
      refuseOtherSlug(record, slug);
      return { ...record, ...sent };
    };
    const budget = recordBudget(customer.plan, customer.sandboxQuota);
    const named = { customerId, idOrSlug: idOrNothing(idOrSlug) };
    const changed = await parts.directory.changeSandbox({
      ...named,
      at,
      changeId,
      takenOver,
      budget,
      settings,
    });
    const record = recordOf(parts, customer, changed);
    return { shown: twice(shownSandbox(record)), statusCode: 200 };
  });
}

/** Sets every field: what was not sent has its default. */
export async function replaceSandbox(
  parts: SandboxParts,
  { customerId, customer }: Caller,
  idOrSlug: string,
  { slug, ...fields }: z.output<typeof sandboxReplacement>,
): Promise<Sandbox> {
  await checkRules(parts, fields.customRules);
  const { id: changeId, at } = newSeed(parts);
  const settings = (record: SandboxRecord): SandboxSettings => {
    refuseOtherSlug(record, slug);
    return fields;
  };
  const changed = await parts.directory.changeSandbox({
    customerId,
    idOrSlug: idOrNothing(idOrSlug),
    at,
    changeId,
    takenOver: false,
    budget: recordBudget(customer.plan, customer.sandboxQuota),
    settings,
  });
  return shownSandbox(recordOf(parts, customer, changed));
}

export async function deleteSandbox(
  parts: RecordParts,
  { customerId, customer }: Caller,
  idOrSlug: string,
): Promise<Sandbox> {
  const { id: changeId, at } = newSeed(parts);
  const asked = { customerId, idOrSlug: idOrNothing(idOrSlug), at, changeId, takenOver: false };
  return shownSandbox(recordOf(parts, customer, await parts.directory.deleteSandbox(asked)));
}

export async function readSandbox(
  parts: RecordParts,
  customerId: string,
  idOrSlug: string,
  includeDeleted: boolean,
): Promise<Sandbox> {
  const record = await parts.directory.getSandbox(customerId, idOrNothing(idOrSlug), includeDeleted);
  if (record === null) throw new ApiError('NOT_FOUND');
  return shownSandbox(record);
}

/** Reads the records of the page alone, however many there are and were. */
export async function listSandboxes(
  parts: RecordParts,
  customerId: string,
  includeDeleted: boolean,
  request: PageRequest,
): Promise<{ data: Sandbox[]; pagination: Pagination }> {
  const ids = await parts.directory.sandboxIds(customerId, includeDeleted);
  const { rows, pagination } = pageOfIds(ids, request);
  const records = await Promise.all(rows.map((id) => parts.directory.sandboxById(customerId, id)));
  // One may have been deleted since the ids were read.
  const shown = records.filter((record) => record !== null && (includeDeleted || record.deletedAt === null));
  return { data: (shown as SandboxRecord[]).map(shownSandbox), pagination };
}

/** Longer than any id or slug: no document has such a name. */
function idOrNothing(idOrSlug: string): string {
  if (idOrSlug.length > 64) throw new ApiError('NOT_FOUND');
  return idOrSlug;
}

function recordOf(parts: RecordParts, customer: CustomerRecord, changed: ChangedSandbox): SandboxRecord {
  if (changed.ok) return changed.record;
  if (changed.reason === 'BUDGET') throw beyondBudget(parts, customer, changed.exceeded);
  if (changed.reason === 'NOT_FOUND') throw new ApiError('NOT_FOUND');
  throw unavailable(new Error('too many changes at the same time'));
}

function refuseOtherSlug(record: SandboxRecord, slug: string | undefined): void {
  if (slug !== undefined && normaliseSlug(slug) !== normaliseSlug(record.slug)) {
    throw new ApiError('SLUG_IMMUTABLE');
  }
}

/** A rule that would never run must not look as if it did. */
async function checkRules({ giveWay }: SandboxParts, rules: readonly string[]): Promise<void> {
  const found = await takeSteps(faultsInSteps(rules), giveWay);
  const faults = found.map(({ index, message }) => ({
    path: `customRules.${index}`,
    message,
  }));
  const [first] = faults;
  if (first === undefined) return;
  throw new ApiError('INVALID_REQUEST', { message: `${first.path}: ${first.message}`, details: faults });
}

function shownSandbox(record: SandboxRecord): Sandbox {
  const { deletedAt, changeId: _changeId, ...shown } = record;
  return {
    ...shown,
    regulations: [...record.regulations],
    customRules: [...record.customRules],
    ...(deletedAt === null ? {} : { deletedAt }),
  };
}
