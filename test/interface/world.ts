import { createClient } from '../../cli/client.ts';
import { makeCustomer, makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import type { TestService } from '../helpers/service.ts';
import type { Records } from './requests.ts';

/** A model whose audits always fail, when the service was started with `FAULTS`. */
const FAILING_MODEL = 'always-fails';
export const FAULTS = { FAULT_INJECTION: `detect:${FAILING_MODEL}:99` };

/** Slug of a sandbox that every customer of these tests has. */
export const SHARED_SLUG = 'everybody-has-it';

export interface World {
  readonly customer: TestCustomer;
  /** One of the customer's records of each kind; cursors come from the lists themselves. */
  readonly records: Required<Omit<Records, 'cursor'>>;
  /** Appears in answers to this customer and to nobody else: its ids and the names that it gave. */
  readonly own: readonly string[];
}

/** A customer with several records of every kind. `name`: lower-case letters. */
export async function makeWorld(
  service: Pick<TestService, 'url' | 'internalSecret'>,
  name: string,
): Promise<World> {
  const customer = await makeCustomer(service, `name-of-${name}`);
  const { client } = customer;
  const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
  const keys = `/internal/customers/${customer.id}/api-keys`;
  await internal.call('POST', keys, { name: `key-of-${name}` });
  const spare = await internal.call('POST', keys, { name: `spare-of-${name}` });

  const slug = `slug-of-${name}`;
  for (const each of [slug, `other-${slug}`, SHARED_SLUG])
    await makeSandbox(client, each, { customRules: [`rule-of-${name}`] });
  await client.call('DELETE', `/sandboxes/other-${slug}`);
  const sandbox = await client.call('GET', `/sandboxes/${slug}`);

  const ingest = async (sandboxSlug: string, model: string): Promise<string> =>
    String((await client.call('POST', '/audit/ingest', triplet(sandboxSlug, 1, model))).body.auditId);
  const audits = [
    await ingest(slug, `model-of-${name}`),
    await ingest(slug, `model-of-${name}`),
    await ingest(SHARED_SLUG, `model-of-${name}`),
  ];
  const failed: string[] = [];
  for (let count = 0; count < 3; count += 1) failed.push(await ingest(slug, FAILING_MODEL));
  const signal = await internal.call('POST', '/internal/signal', {
    customerId: customer.id,
    sandboxSlug: slug,
    provider: 'openai',
    model: `model-of-${name}`,
    riskLevel: 'LOW',
    reasoning: `reasoning-of-${name}`,
  });
  const all = [...audits, ...failed, String(signal.body.auditId)];
  for (const id of all) await client.call('GET', `/audits/${id}?wait=30`);

  const verificationId = await verified(client);
  const incidentId = await incidentOn(client, audits[0]!);
  await incidentOn(client, audits[1]!);
  const ids = {
    sandboxId: String(sandbox.body.id),
    keyId: String(spare.body.id),
    customerId: customer.id,
    verificationId,
    incidentId,
  };
  return {
    customer,
    records: { ...ids, auditId: audits[0]!, deadLetterId: failed[0]!, sandboxSlug: slug },
    own: [...all, ...Object.values(ids), customer.key.slice(0, 8), `-of-${name}`],
  };
}

/** Id of an incident whose entry is in the chain, so that its answers change no more. */
async function incidentOn(client: TestCustomer['client'], signalId: string): Promise<string> {
  const made = await client.call('POST', '/evidence/incidents', { signalId });
  const { id } = made.body.data as unknown as { id: string };
  return eventually('the entry of the incident is stored', 30_000, async () => {
    const { body } = await client.call('GET', `/evidence/incidents/${id}`);
    const { history } = body.data as unknown as { history: { leafIndex: number | null }[] };
    return history.every(({ leafIndex }) => leafIndex !== null) ? id : undefined;
  });
}

/** Id of a verification that ran as a job, after it is done. */
async function verified(client: TestCustomer['client']): Promise<string> {
  const jobAt = async (path: string) => {
    const { body } = await client.call('GET', `/evidence/hash-chain/${path}`);
    return (body as unknown as { data: { id: string; status: string } }).data;
  };
  const { id } = await jobAt('verify?job=true');
  return eventually('the verification is done', 30_000, async () =>
    (await jobAt(`verifications/${id}`)).status === 'COMPLETED' ? id : undefined,
  );
}
