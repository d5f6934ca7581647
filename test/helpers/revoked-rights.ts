import { type Client, createClient, RequestFailed } from '../../cli/command/client.ts';
import { makeAccount, type TestAccount } from './account.ts';
import { customerClient, makeCustomer, makeSandbox, type TestCustomer, triplet } from './customer.ts';
import { eventually } from './eventually.ts';
import { finalStatuses, verifyChain } from './final-state.ts';
import type { TestService } from './service.ts';

const WITHIN_MS = 60_000;
/** If the API may have other processes, an erasure first waits a minute for requests that they accepted before. */
const ERASED_WITHIN_MS = 150_000;
const SLUG = 'rights';
const UNAUTHORIZED = 401;

type Address = Pick<TestService, 'url' | 'internalSecret'>;

/** Rights of a customer that end later, and others that must keep working. */
export interface Rights {
  readonly account: TestAccount;
  readonly leaving: TestCustomer;
  readonly revokedKey: string;
  readonly revokedKeyId: string;
  readonly auditorId: string;
  readonly auditorToken: string;
  readonly policyId: string;
  /** A signal that will be under a legal hold. */
  readonly heldSignalId: string;
}

const internal = ({ url, internalSecret }: Address): Client =>
  createClient(url, { 'x-internal-secret': internalSecret });

const dataOf = async (call: Promise<{ body: { data?: unknown } }>): Promise<Record<string, unknown>> =>
  (await call).body.data as Record<string, unknown>;

/** Enough for every partition to get some: a partition that never had a record proves nothing about its log. */
const AUDITS = 100;

/** Ingests audits; resolves to the id of the last one when all are stored. */
async function audits(client: Client): Promise<string> {
  const triplets = Array.from({ length: AUDITS }, (_, number) => triplet(SLUG, number));
  const { body } = await client.request('POST', '/audit/ingest/batch', triplets);
  const ids = (body.data as unknown as { auditId: string }[]).map(({ auditId }) => auditId);
  await finalStatuses(client, new Set(ids), WITHIN_MS);
  return ids.at(-1)!;
}

/** Resolves when the ledger has this many entries, so that stores copied afterwards match in time. */
export const folded = (client: Client, entries: number): Promise<number> =>
  eventually(`${entries} entries in the chain`, WITHIN_MS, async () => {
    const { treeSize } = await verifyChain(client);
    return treeSize >= entries ? treeSize : undefined;
  });

export async function makeRights(service: Address, name: string): Promise<Rights> {
  const account = await makeAccount(service, name);
  const leaving = await makeCustomer(service, `${name} leaving`);
  const { client } = account;
  await makeSandbox(client, SLUG);
  const keys = `/internal/customers/${account.id}/api-keys`;
  const key = (await internal(service).request('POST', keys, { name: 'to be revoked' })).body;
  const auditor = await dataOf(
    client.request('POST', '/evidence/auditors', { name: 'Carol', permissions: ['READ_SIGNALS'] }),
  );
  const rules = [{ code: 'SSRF', minRiskLevel: 'CRITICAL', maxCount: 0, windowDays: 1, action: 'ALERT' }];
  const policy = { name: 'To be deleted', framework: 'GDPR', rules, enforcement: 'ENFORCE' };
  const made = await dataOf(client.request('POST', '/evidence/policies', policy));
  const heldSignalId = await audits(client);
  await folded(leaving.client, 1);
  return {
    account,
    leaving,
    revokedKey: String(key.key),
    revokedKeyId: String(key.id),
    auditorId: String(auditor.id),
    auditorToken: String(auditor.token),
    policyId: String(made.id),
    heldSignalId,
  };
}

/** Number of their entries: key, auditor, policy, retention policy, its hold, two versions of the sandbox. */
const ENDS = 7;

/** Ends all rights and resolves when the ledger has recorded it. */
export async function endRights(service: Address, rights: Rights): Promise<void> {
  const { account, leaving, revokedKeyId, auditorId, policyId } = rights;
  const client = customerClient(service.url, account.key);
  const before = (await verifyChain(client)).treeSize;
  await internal(service).request('DELETE', `/internal/customers/${account.id}/api-keys/${revokedKeyId}`);
  await createClient(service.url, account.sessionHeaders).request('DELETE', '/sessions');
  await client.request('DELETE', `/evidence/auditors/${auditorId}`);
  await client.request('DELETE', `/evidence/policies/${policyId}`);
  await client.request('POST', '/evidence/retention/policies', {
    name: 'Hold',
    retentionDays: 1,
    legalHold: true,
  });
  await client.request('PATCH', `/sandboxes/${SLUG}`, { active: false });
  await client.request('PATCH', `/sandboxes/${SLUG}`, { active: true });
  await audits(client);
  await internal(service).request('DELETE', `/internal/customers/${leaving.id}`);
  await eventually('the other customer is erased', ERASED_WITHIN_MS, async () => {
    const { body } = await internal(service).request('GET', `/internal/customers/${leaving.id}`);
    return (body.erasure as unknown as { status?: string }).status === 'COMPLETED' ? true : undefined;
  });
  await folded(client, before + ENDS + AUDITS);
}

const statusOf = (call: Promise<{ statusCode: number }>): Promise<number | null> =>
  call.then(
    ({ statusCode }) => statusCode,
    (error: unknown) => (error instanceof RequestFailed ? error.statusCode : Promise.reject(error)),
  );

/** Response statuses for each ended right and one that has not ended, in the order of `ENDED`. */
export async function answersTo(service: Address, rights: Rights): Promise<Record<string, number | null>> {
  const { account, leaving, revokedKey, auditorToken, policyId, heldSignalId } = rights;
  const { url } = service;
  const kept = customerClient(url, account.key);
  const auditor = createClient(url, { authorization: `Bearer ${auditorToken}` });
  const signal = `/evidence/retention/signals/${heldSignalId}`;
  return {
    'kept key': await statusOf(kept.request('GET', '/sandboxes')),
    'revoked key': await statusOf(customerClient(url, revokedKey).request('GET', '/sandboxes')),
    session: await statusOf(createClient(url, account.sessionHeaders).request('GET', '/sessions/current')),
    auditor: await statusOf(auditor.request('GET', '/auditor/signals')),
    policy: await statusOf(kept.request('GET', `/evidence/policies/${policyId}`)),
    hold: await statusOf(kept.request('DELETE', signal)),
    'closed customer': await statusOf(customerClient(url, leaving.key).request('GET', '/sandboxes')),
  };
}

/** Statuses when the service knows that every right has ended. */
export const ALL_ENDED: Readonly<Record<string, number>> = {
  'kept key': 200,
  'revoked key': UNAUTHORIZED,
  session: UNAUTHORIZED,
  auditor: UNAUTHORIZED,
  policy: 404,
  hold: 409,
  'closed customer': UNAUTHORIZED,
};
