import { hash } from 'node:crypto';
import { changeDocument, unchanged } from '#platform/state/change-document.ts';
import type { Claim } from '#platform/state/port.ts';
import { MAX_CUSTOMERS } from '#schemas/api/evidence/auditors/auditors.ts';
import type { RecordBudget } from '#schemas/record-budget.ts';
import { chargedWrite, type OverBudget } from '../changes/measure-records.ts';
import { bytesOf } from '../changes/record-usage.ts';
import { activeAuditors, activeWrite, MAX_ACTIVE_AUDITORS, unexpired } from './active-auditors.ts';
import { auditorEvent } from './auditor-event.ts';
import {
  type AuditorClaim,
  type AuditorRecord,
  auditorClaim,
  auditorGrantsClaim,
  auditorRef,
} from './auditor-record.ts';
import { type AuditorDependencies, revokeAuditor } from './revoke-auditor.ts';

export const AUDITOR_TOKEN_PREFIX = 'aud_';
const TOKEN_BYTES = 32;
const SHOWN_CHARACTERS = 8;

export interface NewAuditor extends Omit<AuditorRecord, 'prefix' | 'tokenHash' | 'status' | 'revokedAt'> {
  /** The customers, each once, with their remaining budgets; at most `MAX_CUSTOMERS`. */
  readonly grants: readonly { readonly customerId: string; readonly budget: RecordBudget }[];
}

type Refused =
  | OverBudget
  /** Too many active auditors; `until` (ISO 8601): when the first of them expires. */
  | { readonly ok: false; readonly reason: 'ACTIVE'; readonly until: string };

export type IssuedAuditor =
  /** `token`: null when an earlier attempt issued it, because its value is no longer known. */
  | { readonly ok: true; readonly record: AuditorRecord; readonly token: string | null }
  /** In this case nothing is granted. */
  | (Refused & { readonly customerId: string });

/** Lower-case hex SHA-256 of a token, the only form in which it is stored. 256 random bits need no slow hash. */
export const auditorTokenHash = (token: string): string => hash('sha256', token);

/**
 * Issues an auditor with its token, or returns and completes what an earlier attempt with the same id made. Each
 * customer's record is one write with its entry; the first one claims the token. When a customer refuses, grants
 * already made are revoked. The token never gives access to anything that was not requested.
 */
export async function issueAuditor(
  dependencies: AuditorDependencies & { readonly randomBytes: (size: number) => Buffer },
  { grants, ...fields }: NewAuditor,
): Promise<IssuedAuditor> {
  const { documents } = dependencies;
  const [first] = grants;
  if (first === undefined || grants.length > MAX_CUSTOMERS)
    throw new RangeError('an auditor must have 1 to 20 grants');
  const token = AUDITOR_TOKEN_PREFIX + dependencies.randomBytes(TOKEN_BYTES).toString('hex');
  const made: AuditorRecord = {
    ...fields,
    prefix: token.slice(0, SHOWN_CHARACTERS),
    tokenHash: auditorTokenHash(token),
    status: 'active',
    revokedAt: null,
  };
  const customerIds = grants.map(({ customerId }) => customerId);
  const value: AuditorClaim = { auditorId: made.id, customerIds };
  let record = made;
  for (const [position, { customerId, budget }] of grants.entries()) {
    const claims =
      position > 0
        ? []
        : [
            { name: auditorClaim(made.tokenHash), value },
            { name: auditorGrantsClaim(made.id), value },
          ];
    const granted = await grant(dependencies, customerId, record, budget, claims);
    if (!granted.ok) {
      for (const before of customerIds.slice(0, position))
        await revokeAuditor(dependencies, before, made.id, made.createdAt);
      return { ...granted, customerId };
    }
    // From an earlier attempt: the other customers get the same token.
    if (position === 0) record = granted.record;
  }
  const isNew = record.tokenHash === made.tokenHash;
  const stored = await documents.get<AuditorRecord>(auditorRef(first.customerId, made.id));
  return { ok: true, record: stored?.value ?? record, token: isNew ? token : null };
}

type Granted = Refused | { readonly ok: true; readonly record: AuditorRecord };

function grant(
  dependencies: AuditorDependencies,
  customerId: string,
  record: AuditorRecord,
  budget: RecordBudget,
  claims: readonly Claim[],
): Promise<Granted> {
  const { documents, makeEntry } = dependencies;
  const { id, createdAt: at, expiresAt } = record;
  const charge = { at, bytes: bytesOf(record), auditors: 1 };
  return changeDocument<AuditorRecord, Granted>(
    dependencies,
    auditorRef(customerId, id),
    async (existing) => {
      if (existing !== null) return unchanged({ ok: true, record: existing.value });
      const stored = await activeAuditors(documents, customerId);
      const active = unexpired(stored.value, at);
      if (active.length >= MAX_ACTIVE_AUDITORS) {
        const [until = at] = active.map((one) => one.expiresAt).sort();
        return unchanged({ ok: false, reason: 'ACTIVE', until });
      }
      const charged = await chargedWrite(documents, customerId, charge, budget);
      if (!charged.ok) return unchanged(charged);
      return {
        value: record,
        entries: [await makeEntry(auditorEvent(customerId, record, 1))],
        others: [activeWrite(customerId, stored, [...active, { id, expiresAt }]), charged.write],
        claims,
        result: { ok: true, record },
      };
    },
  );
}
