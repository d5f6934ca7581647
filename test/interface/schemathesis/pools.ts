import type { SampleName } from '#schemas/api/openapi/request-examples.ts';
import { createClient } from '../../../cli/command/client.ts';
import { makeAccount, signIn, type TestSession } from '../../helpers/account.ts';
import { makeSandbox } from '../../helpers/customer.ts';
import type { TestService } from '../../helpers/service.ts';
import { makeWorld } from '../world.ts';

export type Pool = Readonly<Partial<Record<SampleName, readonly string[]>>>;

export interface Pools {
  readonly apiKey: string;
  /** Requests use the first one; the others share its calls. */
  readonly sessions: readonly TestSession[];
  /** Requests use the first one; the others share its calls. */
  readonly auditorTokens: readonly string[];
  /** Records that requests may name but must not change. */
  readonly kept: Pool;
  /** Records that requests may change and delete. */
  readonly disposable: Pool;
  /** Customers with rolled-back ledgers; each rollback is accepted once. */
  readonly rolledBack: readonly string[];
}

const DISPOSABLE = 40;
const EXAMPLE_USER = 'ann';
/** Each has ten calls a second. */
const SESSIONS = 15;

/** Creates a fuzzed customer's records, and records to be deleted. */
export async function makePools(service: Pick<TestService, 'url' | 'internalSecret'>): Promise<Pools> {
  // The user in the sign-in example.
  await makeAccount(service, EXAMPLE_USER);
  const { customer, records, auditorTokens } = await makeWorld(service, 'fuzzed');
  const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
  const numbers = Array.from({ length: DISPOSABLE }, (_, number) => number);
  const idOf = async (
    answer: Promise<{ readonly body: Readonly<Record<string, unknown>> }>,
  ): Promise<string> => String((await answer).body.id);

  const slugs = numbers.map((number) => `disposable-${number}`);
  const sandboxIds = await inTurn(slugs, async (slug) => {
    await makeSandbox(customer.client, slug);
    return idOf(customer.client.request('GET', `/sandboxes/${slug}`));
  });
  const newCustomer = (name: string): Promise<string> =>
    idOf(internal.request('POST', '/internal/customers', { name, type: 'COMPANY', plan: 'DEV' }));
  const customerIds = await inTurn(numbers, (number) => newCustomer(`Disposable ${number}`));
  const rolledBack = await inTurn(numbers, (number) => newCustomer(`Rolled back ${number}`));
  const keyIds = await inTurn(numbers, (number) =>
    idOf(
      internal.request('POST', `/internal/customers/${customer.id}/api-keys`, {
        name: `Disposable ${number}`,
      }),
    ),
  );
  const policyIds = await inTurn(numbers, async (number) => {
    const policy = { name: `Disposable ${number}`, framework: 'SOC2', rules: [{ code: '*' }] };
    const { body } = await customer.client.request('POST', '/evidence/policies', policy);
    return (body.data as unknown as { id: string }).id;
  });
  const list = async (path: string): Promise<string[]> => {
    const { data } = (await customer.client.request('GET', path)).body as unknown as {
      data: { id: string }[];
    };
    return data.map(({ id }) => id);
  };
  const signalIds = await list('/dashboard/signals?limit=100');
  const keptAuditorIds = await list('/evidence/auditors?limit=100');
  // Revoked, because only twenty may be active; revoking can be repeated.
  const auditorIds = await inTurn(numbers, async (number) => {
    const auditor = { name: `Disposable ${number}`, permissions: ['READ_SIGNALS'] };
    const { body } = await customer.client.request('POST', '/evidence/auditors', auditor);
    const { id } = body.data as unknown as { id: string };
    await customer.client.request('DELETE', `/evidence/auditors/${id}`);
    return id;
  });
  // A signal has at most one open incident, and most incidents that requests move stay open for a while.
  await inTurn(signalIds, (signalId) => customer.client.request('POST', '/evidence/incidents', { signalId }));
  const incidentIds = await list('/evidence/incidents?limit=100');
  // Signals without an incident, for requests to erase.
  const erasable = await inTurn(numbers, async () => {
    const signal = {
      customerId: customer.id,
      sandboxSlug: records.sandboxSlug,
      provider: 'openai',
      model: 'gpt-5',
      riskLevel: 'LOW',
      reasoning: 'Nothing was found.',
    };
    return String((await internal.request('POST', '/internal/signal', signal)).body.auditId);
  });
  await inTurn(erasable, (auditId) => customer.client.request('GET', `/audits/${auditId}?wait=30`));
  const retentionPolicyId = await inTurn(numbers, async (number) => {
    const policy = { name: `Disposable ${number}`, retentionDays: 3_650 };
    const { body } = await customer.client.request('POST', '/evidence/retention/policies', policy);
    return (body as unknown as { data: { id: string } }).data.id;
  });
  return {
    apiKey: customer.key,
    sessions: await inTurn(Array.from({ length: SESSIONS }), () => signIn(service.url, customer.email)),
    auditorTokens,
    kept: {
      auditId: signalIds,
      incidentId: incidentIds,
      policyId: [records.policyId],
      deadLetterId: await list('/dead-letters'),
      sandboxId: [records.sandboxId],
      sandboxSlug: [records.sandboxSlug],
      customerId: [customer.id],
      keyId: [await firstKey(internal, customer.id)],
      verificationId: [records.verificationId],
      erasedId: [records.erasedId],
      auditorId: keptAuditorIds,
      retentionPolicyId: [records.retentionPolicyId],
      packageId: [records.packageId],
      correlationId: [records.correlationId],
      uiFile: await filesOfPage(service.url),
    },
    disposable: {
      sandboxId: sandboxIds,
      customerId: customerIds,
      keyId: keyIds,
      policyId: policyIds,
      auditId: erasable,
      auditorId: auditorIds,
      retentionPolicyId,
    },
    rolledBack,
  };
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  make: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await make(item));
  return results;
}

/** The id of the key that authenticates the requests. */
async function firstKey(internal: ReturnType<typeof createClient>, customerId: string): Promise<string> {
  const { body } = await internal.request('GET', `/internal/customers/${customerId}/api-keys?limit=100`);
  return (body as unknown as { data: { id: string; name: string }[] }).data.find(
    ({ name }) => name === 'test',
  )!.id;
}

/** Files named in the dashboard's page; their names contain a hash that no example can know. */
async function filesOfPage(url: string): Promise<string[]> {
  const page = await (await fetch(`${url}/ui/`)).text();
  return [...page.matchAll(/"\/ui\/assets\/([^"]+)"/g)].map(([, file]) => file!);
}
