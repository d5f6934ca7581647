import { CUSTOMERS } from '#platform/state/port.ts';
import type { DateRange } from '#schemas/api/fields/dates.ts';
import { createdWithin } from '../changes/created-within.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { type CountCall, countCalls } from './auditor-calls.ts';
import {
  AUDITORS,
  type AuditorClaim,
  type AuditorRecord,
  auditorClaim,
  auditorGrantsClaim,
  auditorRef,
} from './auditor-record.ts';
import { type IssuedAuditor, issueAuditor, type NewAuditor } from './issue-auditor.ts';
import { type AuditorDependencies, revokeAuditor } from './revoke-auditor.ts';

/** Access of a token to one customer. */
export interface Grant {
  readonly customerId: string;
  readonly customer: CustomerRecord;
  readonly auditor: AuditorRecord;
}

/** Auditors of all customers. Every method rejects with `StateUnavailable` when the state is down. */
export interface Auditors {
  issue(auditor: NewAuditor): Promise<IssuedAuditor>;
  revoke(customerId: string, id: string, at: string): Promise<AuditorRecord | null>;
  /** Ids of a customer's auditors created within the range, including revoked ones, in order of creation. */
  ids(customerId: string, range?: DateRange): Promise<readonly string[]>;
  /** The auditors with these ids, in this order; missing ones are left out. */
  byId(customerId: string, ids: readonly string[]): Promise<AuditorRecord[]>;
  /** The customers that an auditor was issued for; null: no such auditor. */
  customersOf(id: string): Promise<readonly string[] | null>;
  /**
   * The grants of a token at this time (ISO 8601), in the order in which they were granted. Empty: unknown, revoked or
   * expired, or its customers are being erased. Nothing is cached.
   */
  grantsOf(tokenHash: string, at: string): Promise<Grant[]>;
  readonly countCall: CountCall;
}

export function openAuditors(
  dependencies: AuditorDependencies & { readonly randomBytes: (size: number) => Buffer },
): Auditors {
  const { documents } = dependencies;
  const created = createdWithin(documents, AUDITORS);
  const find = async (customerId: string, id: string): Promise<AuditorRecord | null> =>
    (await documents.get<AuditorRecord>(auditorRef(customerId, id)))?.value ?? null;

  async function grantOf(customerId: string, { auditorId }: AuditorClaim, tokenHash: string, at: string) {
    const customerRef = { scope: customerId, collection: CUSTOMERS, id: customerId };
    const [auditor, customer] = await Promise.all([
      find(customerId, auditorId),
      documents.get<CustomerRecord>(customerRef),
    ]);
    const isActive =
      auditor?.status === 'active' && auditor.tokenHash === tokenHash && auditor.expiresAt > at;
    if (!isActive || customer?.value.active !== true) return [];
    return [{ customerId, customer: customer.value, auditor }];
  }

  return {
    issue: (auditor) => issueAuditor(dependencies, auditor),
    revoke: (customerId, id, at) => revokeAuditor(dependencies, customerId, id, at),
    ids: async (customerId, range) => created(customerId, await documents.ids(customerId, AUDITORS), range),
    byId: async (customerId, ids) =>
      (await Promise.all(ids.map((id) => find(customerId, id)))).filter((record) => record !== null),
    customersOf: async (id) =>
      (await documents.claimed<AuditorClaim>(auditorGrantsClaim(id)))?.customerIds ?? null,
    grantsOf: async (tokenHash, at) => {
      const claim = await documents.claimed<AuditorClaim>(auditorClaim(tokenHash));
      if (claim === null) return [];
      const grants = await Promise.all(
        claim.customerIds.map((customerId) => grantOf(customerId, claim, tokenHash, at)),
      );
      return grants.flat();
    },
    countCall: countCalls(documents),
  };
}
