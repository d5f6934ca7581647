import { cpSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '#jest';
import { type DataFolder, dataFolder } from '#platform/data-folder/data-folder.ts';
import { type Client, createClient, RequestFailed } from '../../cli/command/client.ts';
import { runCas, StartFailed } from '../helpers/cas-process.ts';
import {
  customerClient,
  makeCustomer,
  makeSandbox,
  type TestCustomer,
  triplet,
} from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { finalStatuses, verifyChain } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/**
 * A backup of the state that is older than the ledger: later changes would reuse ids and a revoked key would work
 * again, undetected.
 */

const WITHIN_MS = 60_000;
const SLUG = 'restored';

let dataDir: string;
let folder: DataFolder;
let backup: string;
beforeEach(() => {
  dataDir = temporaryDataDir();
  folder = dataFolder(dataDir);
  backup = `${folder.state}.backup`;
});
afterEach(() => removeDataDir(dataDir));

const internal = (service: TestService): Client =>
  createClient(service.url, { 'x-internal-secret': service.internalSecret });

async function during<Result>(work: (service: TestService) => Promise<Result>): Promise<Result> {
  const service = await startService(dataDir);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

const folded = (client: Client, entries: number) =>
  eventually(`${entries} entries in the chain`, WITHIN_MS, async () =>
    (await verifyChain(client)).treeSize >= entries ? true : undefined,
  );

const refusal = async (): Promise<string> => {
  const error = await startService(dataDir).then(
    async (service) => {
      await service.killTree();
      return null;
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof StartFailed)) throw new Error('the start was expected to be refused');
  return error.failure.output;
};

const statusOf = (call: Promise<{ statusCode: number }>): Promise<number | null> =>
  call.then(
    ({ statusCode }) => statusCode,
    (error: unknown) => (error instanceof RequestFailed ? error.statusCode : Promise.reject(error)),
  );

interface Before {
  readonly customer: TestCustomer;
  readonly erased: TestCustomer;
  readonly otherKey: string;
  readonly keyId: string;
  readonly sandboxId: string;
}

/** Creates a customer with a sandbox and two keys, and another customer, and backs up the state. */
async function before(): Promise<Before> {
  const made = await during(async (service) => {
    const customer = await makeCustomer(service, 'Older state');
    const erased = await makeCustomer(service, 'To be erased');
    await makeSandbox(customer.client, SLUG);
    const path = `/internal/customers/${customer.id}/api-keys`;
    const other = (await internal(service).request('POST', path, { name: 'other' })).body;
    const sandbox = (await customer.client.request('GET', `/sandboxes/${SLUG}`)).body;
    await folded(customer.client, 3);
    return {
      customer,
      erased,
      otherKey: String(other.key),
      keyId: String(other.id),
      sandboxId: String(sandbox.id),
    };
  });
  cpSync(folder.state, backup, { recursive: true });
  return made;
}

const restore = (): void => {
  rmSync(folder.state, { recursive: true });
  cpSync(backup, folder.state, { recursive: true });
};

const change = (client: Client, name: string) => client.request('PATCH', `/sandboxes/${SLUG}`, { name });

test('a start on older state is refused and names the older documents; once accepted, the newer versions are new entries and no ended right works again', async () => {
  const { customer, otherKey, keyId, sandboxId, erased } = await before();
  await during(async (service) => {
    const client = customerClient(service.url, customer.key);
    await change(client, 'second');
    await internal(service).request('DELETE', `/internal/customers/${customer.id}/api-keys/${keyId}`);
    await makeSandbox(client, 'made_later');
    await internal(service).request('DELETE', `/internal/customers/${erased.id}`);
    await folded(client, 6);
    await eventually('the other customer is erased', WITHIN_MS, async () => {
      const { body } = await internal(service).request('GET', `/internal/customers/${erased.id}`);
      return (body.erasure as unknown as { status?: string }).status === 'COMPLETED' ? true : undefined;
    });
  });
  restore();
  for (let round = 0; round < 2; round += 1) {
    const output = await refusal();
    expect(output).toContain(`sandbox ${sandboxId} of customer ${customer.id} (ledger 2, state 1)`);
    expect(output).toContain(`API key ${keyId} of customer ${customer.id} (ledger 2, state 1)`);
    expect(output).toContain(`erasure of customer ${erased.id}`);
    expect(output).toContain('cas migrate --accept-older-state');
  }
  expect(await runCas(['migrate'], { DATA_DIR: dataDir })).toMatchObject({ code: 1 });
  expect(await runCas(['migrate', '--accept-older-state'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  await during(async (service) => {
    const client = customerClient(service.url, customer.key);
    expect(await statusOf(customerClient(service.url, otherKey).request('GET', '/sandboxes'))).toBe(401);
    expect(await statusOf(customerClient(service.url, erased.key).request('GET', '/sandboxes'))).toBe(401);
    await change(client, 'third');
    const auditId = String((await client.request('POST', '/audit/ingest', triplet(SLUG, 1))).body.auditId);
    await finalStatuses(client, new Set([auditId]), WITHIN_MS);
    // The six from before, the accepted sandbox and key, the changed sandbox, the signal.
    await folded(client, 10);
    expect(await verifyChain(client)).toMatchObject({ status: 'VALID', treeSize: 10 });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/^cas_ledger_contradictions 0$/m);
    await eventually('the other customer is erased again', WITHIN_MS, async () => {
      const { body } = await internal(service).request('GET', `/internal/customers/${erased.id}`);
      return (body.erasure as unknown as { status?: string }).status === 'COMPLETED' ? true : undefined;
    });
  });
  // The acceptance is permanent.
  await during(async (service) => {
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  });
}, 240_000);

test('state as new as the ledger starts, also when the ledger lags behind it', async () => {
  const { customer } = await before();
  await during(async (service) => {
    await change(customerClient(service.url, customer.key), 'second');
    await service.killTree();
  });
  await during(async (service) => {
    const client = customerClient(service.url, customer.key);
    await folded(client, 4);
    expect(await verifyChain(client)).toMatchObject({ status: 'VALID', treeSize: 4 });
  });
}, 120_000);
