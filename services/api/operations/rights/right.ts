import { Refusal } from '#platform/flow/refusal.ts';
import {
  API_KEYS,
  CUSTOMERS,
  type CustomerAdmission,
  type Documents,
  type KeyAdmission,
  SESSION_LIFE_MS,
  SESSIONS,
  type SessionAdmission,
} from '#platform/state/port.ts';
import { AUDITORS, type AuditorRecord } from '#records/auditors/auditor-record.ts';

/** What admitted a request: a key, a session or an auditor's token, each a document in its customer's scope. */
export interface Right {
  readonly customerId: string;
  readonly collection: typeof API_KEYS | typeof SESSIONS | typeof AUDITORS;
  readonly id: string;
}

/** A write to one of these may end a right. */
export const RIGHT_COLLECTIONS: ReadonlySet<string> = new Set([CUSTOMERS, API_KEYS, SESSIONS, AUDITORS]);

type RightHolder = { readonly customerId: string } & (
  | { readonly madeBy: string; readonly session: { readonly sessionId: string } | null }
  | { readonly auditor: Pick<AuditorRecord, 'id'> }
);

export function rightOf(caller: RightHolder): Right {
  const { customerId } = caller;
  if ('auditor' in caller) return { customerId, collection: AUDITORS, id: caller.auditor.id };
  if (caller.session !== null) return { customerId, collection: SESSIONS, id: caller.session.sessionId };
  return { customerId, collection: API_KEYS, id: caller.madeBy };
}

/** The error for a request whose right has ended: the same as for the next request with it. */
export function endedError({ collection }: Right): Refusal {
  switch (collection) {
    case API_KEYS:
      return new Refusal('INVALID_KEY');
    case SESSIONS:
      return new Refusal('INVALID_SESSION');
    case AUDITORS:
      return new Refusal('INVALID_AUDITOR_TOKEN');
  }
}

/**
 * Those of one customer's rights that have ended at a time (Unix ms). Takes no token of a rate limit, and does not keep
 * a session open. Rejects with `StateUnavailable`.
 */
export async function endedRights<Asked extends Right>(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  rights: readonly Asked[],
  now: number,
): Promise<readonly Asked[]> {
  const customer = await documents.get<CustomerAdmission>({
    scope: customerId,
    collection: CUSTOMERS,
    id: customerId,
  });
  if (customer?.value.active !== true) return rights;
  const ended = await Promise.all(
    rights.map(async (right) => {
      const stored = await documents.get<KeyAdmission | SessionAdmission | AuditorRecord>({
        scope: customerId,
        collection: right.collection,
        id: right.id,
      });
      return stored !== null && isActive(stored.value, now) ? [] : [right];
    }),
  );
  return ended.flat();
}

function isActive(value: KeyAdmission | SessionAdmission | AuditorRecord, now: number): boolean {
  if ('openedAt' in value) return now < value.openedAt + SESSION_LIFE_MS;
  if (value.status !== 'active') return false;
  return !('expiresAt' in value) || now < Date.parse(value.expiresAt);
}
