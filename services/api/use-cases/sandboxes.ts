import { isPatternRule } from '../../../core/detect/custom-rules.ts';
import { limitReached } from '../../../core/plans/plans.ts';
import type { SandboxRecord } from '../../../platform/directory/records.ts';
import type { IdempotencyKey } from '../../../platform/state/port.ts';
import type { NewSandbox, Sandbox } from '../../../schemas/api/sandboxes.ts';
import { ApiError, invalid, unavailable } from '../errors.ts';
import type { RecordParts } from '../parts.ts';
import type { Caller } from '../plugins/authentication.ts';
import type { Answer } from '../plugins/route.ts';
import { twice } from './envelopes.ts';
import { idempotently } from './idempotently.ts';
import { newSeed } from './ids.ts';

export function createSandbox(
  parts: RecordParts,
  caller: Caller,
  input: NewSandbox,
  key: IdempotencyKey | null,
): Promise<Answer> {
  checkRules(input.customRules);
  const { customerId, customer } = caller;
  return idempotently(parts, customerId, key, newSeed(parts), async ({ id, at }) => {
    const quota = customer.sandboxQuota;
    const created = await parts.directory.createSandbox({ ...input, id, customerId, quota, createdAt: at });
    if (created.ok) return { shown: twice(shownSandbox(created.record)) };
    if (created.reason === 'EXISTS') throw new ApiError('SANDBOX_EXISTS');
    if (created.reason === 'CONTENDED') throw unavailable(new Error('too many sandboxes at the same time'));
    throw new ApiError('SANDBOX_LIMIT_REACHED', { message: limitReached(customer.plan, 'sandbox', quota) });
  });
}

export async function readSandbox(
  parts: RecordParts,
  customerId: string,
  idOrSlug: string,
): Promise<Sandbox> {
  // Longer than any id or slug: no document has such a name.
  const record = idOrSlug.length > 64 ? null : await parts.directory.getSandbox(customerId, idOrSlug);
  if (record === null) throw new ApiError('NOT_FOUND');
  return shownSandbox(record);
}

export async function listSandboxes(parts: RecordParts, customerId: string): Promise<Sandbox[]> {
  return (await parts.directory.listSandboxes(customerId)).map(shownSandbox);
}

/** A rule that would never run must not look as if it did. */
function checkRules(rules: readonly string[]): void {
  rules.forEach((rule, index) => {
    if (rule.trim() === '') throw invalid(`customRules.${index}`, 'the rule is blank');
    if (isPatternRule(rule)) {
      throw invalid(
        `customRules.${index}`,
        'patterns between slashes are not supported; write words or phrases',
      );
    }
  });
}

function shownSandbox(record: SandboxRecord): Sandbox {
  const { deletedAt: _deletedAt, ...shown } = record;
  return {
    ...shown,
    regulations: [...record.regulations],
    customRules: [...record.customRules],
  };
}
