import type { SampleName } from '#schemas/api/openapi/request-examples.ts';
import { createClient } from '../../../cli/client.ts';
import { makeSandbox } from '../../helpers/customer.ts';
import type { TestService } from '../../helpers/service.ts';
import { makeWorld } from '../world.ts';

export type Pool = Readonly<Partial<Record<SampleName, readonly string[]>>>;

export interface Pools {
  readonly apiKey: string;
  /** Records that requests may name and that must not change. */
  readonly kept: Pool;
  /** Records that requests may change and delete. */
  readonly disposable: Pool;
  /** Customers whose ledgers are rolled back; each is accepted once. */
  readonly rolledBack: readonly string[];
}

const DISPOSABLE = 40;

/** A fuzzed customer's records, and records to be deleted. */
export async function makePools(service: Pick<TestService, 'url' | 'internalSecret'>): Promise<Pools> {
  const { customer, records } = await makeWorld(service, 'fuzzed');
  const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
  const numbers = Array.from({ length: DISPOSABLE }, (_, number) => number);
  const idOf = async (
    answer: Promise<{ readonly body: Readonly<Record<string, unknown>> }>,
  ): Promise<string> => String((await answer).body.id);

  const slugs = numbers.map((number) => `disposable-${number}`);
  const sandboxIds = await inTurn(slugs, async (slug) => {
    await makeSandbox(customer.client, slug);
    return idOf(customer.client.call('GET', `/sandboxes/${slug}`));
  });
  const newCustomer = (name: string): Promise<string> =>
    idOf(internal.call('POST', '/internal/customers', { name, type: 'COMPANY', plan: 'DEV' }));
  const customerIds = await inTurn(numbers, (number) => newCustomer(`Disposable ${number}`));
  const rolledBack = await inTurn(numbers, (number) => newCustomer(`Rolled back ${number}`));
  const keyIds = await inTurn(numbers, (number) =>
    idOf(
      internal.call('POST', `/internal/customers/${customer.id}/api-keys`, { name: `Disposable ${number}` }),
    ),
  );
  const list = async (path: string): Promise<string[]> => {
    const { data } = (await customer.client.call('GET', path)).body as unknown as { data: { id: string }[] };
    return data.map(({ id }) => id);
  };
  const signalIds = await list('/dashboard/signals?limit=100');
  // A signal has one incident that has not ended; most of those that requests move are open for a while.
  await inTurn(signalIds, (signalId) => customer.client.call('POST', '/evidence/incidents', { signalId }));
  return {
    apiKey: customer.key,
    kept: {
      auditId: signalIds,
      incidentId: await list('/evidence/incidents?limit=100'),
      deadLetterId: await list('/dead-letters'),
      sandboxId: [records.sandboxId],
      sandboxSlug: [records.sandboxSlug],
      customerId: [customer.id],
      keyId: [await firstKey(internal, customer.id)],
      verificationId: [records.verificationId],
    },
    disposable: { sandboxId: sandboxIds, customerId: customerIds, keyId: keyIds },
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
  const { body } = await internal.call('GET', `/internal/customers/${customerId}/api-keys?limit=100`);
  return (body as unknown as { data: { id: string; name: string }[] }).data.find(
    ({ name }) => name === 'test',
  )!.id;
}
