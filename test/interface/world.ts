import { AUDITOR_PERMISSIONS } from '#schemas/vocabulary.ts';
import { createClient } from '../../cli/command/client.ts';
import { makeAccount, type TestAccount } from '../helpers/account.ts';
import { makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import type { TestService } from '../helpers/service.ts';
import type { Records } from './requests.ts';

/** A model whose audits always fail if the service was started with `FAULTS`. */
const FAILING_MODEL = 'always-fails';
export const FAULTS = { FAULT_INJECTION: `open:${FAILING_MODEL}:99` };

/** Slug of a sandbox that every customer has in these tests. */
export const SHARED_SLUG = 'everybody-has-it';

/** Number of auditors of each customer. */
const AUDITORS = 10;

export interface World {
  readonly customer: TestAccount;
  /** Tokens of auditors with every right; several, because each has ten calls a second. */
  readonly auditorTokens: readonly string[];
  /** One record of each kind; cursors come from the lists themselves. */
  readonly records: Required<Omit<Records, 'cursor' | 'uiFile'>>;
  /** Texts only in responses to this customer: its ids and the names it chose. */
  readonly own: readonly string[];
}

/** A customer with several records of every kind. `name`: lower-case letters. */
export async function makeWorld(
  service: Pick<TestService, 'url' | 'internalSecret'>,
  name: string,
): Promise<World> {
  const customer = await makeAccount(service, `name-of-${name}`);
  const { client } = customer;
  const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
  const keys = `/internal/customers/${customer.id}/api-keys`;
  await internal.request('POST', keys, { name: `key-of-${name}` });
  const spare = await internal.request('POST', keys, { name: `spare-of-${name}` });

  const slug = `slug-of-${name}`;
  for (const each of [slug, `other-${slug}`, SHARED_SLUG])
    await makeSandbox(client, each, { customRules: [`rule-of-${name}`] });
  await client.request('DELETE', `/sandboxes/other-${slug}`);
  // A second version, so that the list of them has a second page.
  await client.request('PATCH', `/sandboxes/${slug}`, { alertThreshold: 'MEDIUM' });
  const sandbox = await client.request('GET', `/sandboxes/${slug}`);

  const ingest = async (sandboxSlug: string, model: string): Promise<string> =>
    String((await client.request('POST', '/audit/ingest', triplet(sandboxSlug, 1, model))).body.auditId);
  const audits = [
    await ingest(slug, `model-of-${name}`),
    await ingest(slug, `model-of-${name}`),
    await ingest(SHARED_SLUG, `model-of-${name}`),
  ];
  const failed: string[] = [];
  for (let count = 0; count < 3; count += 1) failed.push(await ingest(slug, FAILING_MODEL));
  const signal = await internal.request('POST', '/internal/signal', {
    customerId: customer.id,
    sandboxSlug: slug,
    provider: 'openai',
    model: `model-of-${name}`,
    riskLevel: 'LOW',
    reasoning: `reasoning-of-${name}`,
  });
  const all = [...audits, ...failed, String(signal.body.auditId)];
  for (const id of all) await client.request('GET', `/audits/${id}?wait=30`);

  const retentionPolicyId = await retentionPolicies(client, `policy-of-${name}`);
  const verificationId = await verified(client);
  const incidentId = await incidentOn(client, audits[0]!);
  await incidentOn(client, audits[1]!);
  const auditors = await Promise.all(Array.from({ length: AUDITORS }, () => auditorOf(client, name)));
  const erasedId = await erased(client, await ingest(slug, `model-of-${name}`));
  const policyId = await policyOf(client, slug, name);
  await packageOf(client, 'SOC2');
  const ids = {
    sandboxId: String(sandbox.body.id),
    keyId: String(spare.body.id),
    customerId: customer.id,
    verificationId,
    incidentId,
    auditorId: auditors[0]!.id,
    erasedId,
    policyId,
    retentionPolicyId,
    packageId: await packageOf(client, 'GDPR'),
    correlationId: await correlationOf(client),
  };
  return {
    customer,
    auditorTokens: auditors.map(({ token }) => token),
    records: { ...ids, auditId: audits[0]!, deadLetterId: failed[0]!, sandboxSlug: slug },
    own: [
      ...all,
      ...Object.values(ids),
      customer.key.slice(0, 8),
      // Their ids rather than the tokens' last four digits in lists, which two of so many auditors may share.
      ...auditors.map(({ id }) => id),
      `-of-${name}`,
    ],
  };
}

async function auditorOf(client: TestCustomer['client'], name: string) {
  const { body } = await client.request('POST', '/evidence/auditors', {
    name: `auditor-of-${name}`,
    email: `auditor-of-${name}@example.org`,
    permissions: [...AUDITOR_PERMISSIONS],
  });
  return body.data as unknown as { readonly id: string; readonly token: string };
}

/** Id of an incident whose entry is in the chain, so that its responses no longer change. */
async function incidentOn(client: TestCustomer['client'], signalId: string): Promise<string> {
  const made = await client.request('POST', '/evidence/incidents', { signalId });
  const { id } = made.body.data as unknown as { id: string };
  return eventually('the entry of the incident is stored', 30_000, async () => {
    const { body } = await client.request('GET', `/evidence/incidents/${id}`);
    const { history } = body.data as unknown as { history: { leafIndex: number | null }[] };
    return history.every(({ leafIndex }) => leafIndex !== null) ? id : undefined;
  });
}

/** Id of one of two retention policies, after they ran, so that their responses no longer change. */
async function retentionPolicies(client: TestCustomer['client'], name: string): Promise<string> {
  const make = async (): Promise<string> => {
    const made = await client.request('POST', '/evidence/retention/policies', { name, retentionDays: 3_650 });
    return (made.body.data as unknown as { id: string }).id;
  };
  await make();
  const id = await make();
  return eventually('the policies ran', 60_000, async () => {
    const { body } = await client.request('GET', '/evidence/retention/status');
    return (body.data as unknown as { lastRun: object | null }).lastRun === null ? undefined : id;
  });
}

/** Id of an audit whose signal is erased. */
async function erased(client: TestCustomer['client'], auditId: string): Promise<string> {
  await client.request('GET', `/audits/${auditId}?wait=30`);
  await client.request('DELETE', `/evidence/retention/signals/${auditId}`);
  return eventually('the erasure is signed', 30_000, async () => {
    const { body } = await client.request('GET', `/evidence/retention/erasures/${auditId}`);
    return (body.data as unknown as { receipt: object | null }).receipt === null ? undefined : auditId;
  });
}

/** Id of one of two policies: a list with a cursor needs more than one. */
async function policyOf(client: TestCustomer['client'], slug: string, name: string): Promise<string> {
  const make = (one: string) =>
    client.request('POST', '/evidence/policies', {
      name: `${one}-of-${name}`,
      framework: 'GDPR',
      sandboxSlugs: [slug],
    });
  await make('spare');
  return ((await make('policy')).body.data as unknown as { id: string }).id;
}

/** Id of a downloadable package. */
async function packageOf(client: TestCustomer['client'], framework: string): Promise<string> {
  const asked = { framework, startDate: '2026-01-01', endDate: '2099-12-31' };
  const made = await client.request('POST', '/evidence/packages', asked);
  const { id } = made.body.data as unknown as { id: string };
  return eventually('the package can be downloaded', 30_000, async () => {
    const { body } = await client.request('GET', `/evidence/packages/${id}`);
    return (body.data as unknown as { status: string }).status === 'READY' ? id : undefined;
  });
}

/** Id of one of two history scans: a list with a cursor needs more than one. */
async function correlationOf(client: TestCustomer['client']): Promise<string> {
  const run = async () => {
    const { body } = await client.request('POST', '/evidence/correlations/detect', {});
    return body.data as unknown as { id: string; status: string };
  };
  await run();
  const { id } = await run();
  return eventually('the run is done', 30_000, async () => {
    const { body } = await client.request('GET', `/evidence/correlations/${id}`);
    return (body.data as unknown as { status: string }).status === 'COMPLETED' ? id : undefined;
  });
}

/** Id of a completed verification job. */
async function verified(client: TestCustomer['client']): Promise<string> {
  const jobAt = async (path: string) => {
    const { body } = await client.request('GET', `/evidence/hash-chain/${path}`);
    return (body as unknown as { data: { id: string; status: string } }).data;
  };
  const { id } = await jobAt('verify?job=true');
  return eventually('the verification is done', 30_000, async () =>
    (await jobAt(`verifications/${id}`)).status === 'COMPLETED' ? id : undefined,
  );
}
