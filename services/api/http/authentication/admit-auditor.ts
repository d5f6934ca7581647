import type { Counter } from 'prom-client';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import type { Admission, RateState } from '#platform/state/port.ts';
import type { AuditorRecord } from '#records/auditors/auditor-record.ts';
import type { Auditors, Grant } from '#records/auditors/auditors.ts';
import { AUDITOR_TOKEN_PREFIX, auditorTokenHash } from '#records/auditors/issue-auditor.ts';
import type { RouteContract } from '#schemas/api/contract.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import { FRAMEWORKS } from '#schemas/vocabulary.ts';
import { rateLimited } from '../../operations/limits/caller-rate.ts';
import type { RequestsInProgress } from '../../operations/requests-in-progress.ts';
import { malformedToken } from './key-hints.ts';
import { type AccessDependencies, recordAccess } from './record-access.ts';

/** Per token, whatever the plans of its customers. */
export const AUDITOR_RATE = { ratePerSecond: 10, burst: 50 } as const;

export interface AuditorCall {
  /** The header, as sent. */
  readonly authorization: string | undefined;
  readonly query: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
}

type Contract = Pick<RouteContract, 'path' | 'permission'>;

export interface AdmitDependencies extends AccessDependencies {
  readonly auditors: Auditors;
  readonly admission: Pick<Admission, 'takeFrom'>;
  readonly requests: Pick<RequestsInProgress, 'during'> | null;
  /** Calls without an access entry, by reason. */
  readonly refused: Counter<'reason'>;
}

/** An active token with a call left in its bucket. */
interface Identified {
  readonly auditor: AuditorRecord;
  /** At least one. */
  readonly grants: readonly [Grant, ...Grant[]];
}

const BEARER = new RegExp(`^bearer +(${AUDITOR_TOKEN_PREFIX}[0-9a-f]{64})$`, 'i');
const DAY_MS = 86_400_000;

/**
 * Admits an auditor's call. Checks in order: token (401), rate (429), customer (400, 403), permission and framework
 * (403). Every decision after the rate check is recorded in the customer's ledger before the answer. `onRate` receives
 * the state of the bucket.
 */
export async function admitAuditor(
  dependencies: AdmitDependencies,
  call: AuditorCall,
  contract: Contract,
  onRate: (rate: RateState) => void,
): Promise<Grant> {
  const identified = await identify(dependencies, call.authorization, onRate);
  const grant = grantNamed(identified.grants, call.query.customerId);
  const refusal = grant instanceof Refusal ? grant : refusalOf(identified.auditor, contract, call.query);
  const shown = grant instanceof Refusal ? identified.grants[0] : grant;
  await record(dependencies, shown, {
    permission: contract.permission ?? null,
    path: pathOf(contract.path, call.params),
    isAllowed: refusal === null,
  });
  if (refusal !== null) throw refusal;
  return shown;
}

/**
 * For unknown paths: a call with an active token is still recorded, but without the path, which may be any text. Calls
 * without an active token leave no entry.
 */
export async function noteUnknownPath(dependencies: AdmitDependencies, call: AuditorCall): Promise<void> {
  const identified = await identify(dependencies, call.authorization, () => undefined).catch(
    (error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    },
  );
  if (identified === null) return;
  const named = grantNamed(identified.grants, call.query.customerId);
  const grant = named instanceof Refusal ? identified.grants[0] : named;
  await record(dependencies, grant, { permission: null, path: '/auditor/*', isAllowed: false });
}

async function identify(
  { auditors, admission, refused, now }: AdmitDependencies,
  authorization: string | undefined,
  onRate: (rate: RateState) => void,
): Promise<Identified> {
  const refuse = (reason: string, error: Refusal): Refusal => {
    refused.labels(reason).inc();
    return error;
  };
  if (authorization === undefined || authorization === '')
    throw refuse('no token', new Refusal('MISSING_AUDITOR_TOKEN'));
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw refuse('invalid token', malformedToken(authorization));
  const at = new Date(now()).toISOString();
  const [first, ...others] = await auditors.grantsOf(auditorTokenHash(token), at);
  if (first === undefined) throw refuse('invalid token', new Refusal('INVALID_AUDITOR_TOKEN'));
  const { auditor } = first;
  const rate = await admission.takeFrom(`auditor:${auditor.id}`, AUDITOR_RATE, 1);
  onRate(rate);
  if (rate.retryAfterMs > 0) throw refuse('rate', rateLimited(rate));
  return { auditor, grants: [first, ...others] };
}

function grantNamed(grants: Identified['grants'], customerId: unknown): Grant | Refusal {
  if (customerId === undefined)
    return grants.length === 1
      ? grants[0]
      : invalid('customerId', 'required, because the token covers several customers');
  if (typeof customerId !== 'string') return invalid('customerId', 'must be given only once');
  return grants.find((grant) => grant.customerId === customerId) ?? new Refusal('CUSTOMER_NOT_GRANTED');
}

function refusalOf(
  { permissions, frameworks }: AuditorRecord,
  { permission }: Contract,
  { framework }: AuditorCall['query'],
): Refusal | null {
  if (permission === undefined || !permissions.includes(permission))
    return new Refusal('PERMISSION_NOT_GRANTED', {
      message: `The token lacks the permission ${permission}. Ask its issuer for a new token.`,
    });
  const asked = FRAMEWORKS.find((one) => one === framework);
  const isGranted = asked === undefined || frameworks === null || frameworks.includes(asked);
  return isGranted ? null : new Refusal('FRAMEWORK_NOT_GRANTED');
}

/** Counts the call and appends its entry; refuses the call when the day's entries are used up. */
async function record(
  dependencies: AdmitDependencies,
  grant: Grant,
  access: Parameters<typeof recordAccess>[2],
): Promise<void> {
  const { auditors, refused, now, requests } = dependencies;
  const work = async (): Promise<void> => {
    const at = now();
    if (await auditors.countCall(grant.customerId, new Date(at).toISOString()))
      return recordAccess(dependencies, grant, access);
    refused.labels('day').inc();
    const seconds = Math.ceil((DAY_MS - (at % DAY_MS)) / 1_000);
    throw new Refusal('AUDITOR_CALLS_REACHED', { retryAfterSeconds: seconds });
  };
  // The erasure of a customer waits for requests in progress, and so finds what they leave.
  await (requests === null ? work() : requests.during(grant.customerId, work));
}

/** The requested path, with the ids that it names. */
const pathOf = (path: string, params: AuditorCall['params']): string =>
  path.replace(/:(\w+)/g, (name, key: string) => {
    const value = params[key];
    return value !== undefined && isId(value) ? value : name;
  });
