import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { API_KEYS, type DocumentRef, META, type State, SYSTEM_SCOPE } from '#platform/state/port.ts';
import { sealedCollections } from '#records/comparison/sealed-collections.ts';
import { createClient } from '../../cli/command/client.ts';
import { runCas, StartFailed } from '../helpers/cas-process.ts';
import { customerClient, makeCustomer, type TestCustomer } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { verifyChain } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** The state's file is edited while the service is stopped; versions and seals stay unchanged. */

const WITHIN_MS = 60_000;
const dataDir = temporaryDataDir();
let customer: TestCustomer;
let revoked: string;
let key: DocumentRef;

const internal = (service: TestService) =>
  createClient(service.url, { 'x-internal-secret': service.internalSecret });

async function during<Result>(work: (service: TestService) => Promise<Result>): Promise<Result> {
  const service = await startService(dataDir);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

async function inState<Result>(work: (state: State) => Promise<Result>): Promise<Result> {
  const file = path.join(dataFolder(dataDir).state, 'state.mdb');
  const state = await openEmbeddedState({ path: file, now: Date.now });
  try {
    return await work(state);
  } finally {
    await state.close();
  }
}

/** Replaces a document's value and keeps its version, and its seal unless `keepsSeal` is false. */
async function replace(
  { documents }: State,
  ref: DocumentRef,
  change: (value: object) => object,
  keepsSeal = true,
): Promise<void> {
  const stored = (await documents.get<object>(ref))!;
  const { collection, id } = ref;
  const seal = keepsSeal && stored.seal !== undefined ? { seal: stored.seal } : {};
  const value = change(stored.value);
  const rewrites = Array.from({ length: stored.version }, () => ({ collection, id, value, ...seal }));
  await documents.write(ref.scope, [{ collection, id, value: null }, ...rewrites]);
}

const refusal = async (): Promise<string> => {
  const started = startService(dataDir).then(async (service) => {
    await service.killTree();
    return null;
  });
  const error = await started.catch((reason: unknown) => reason);
  if (!(error instanceof StartFailed)) throw new Error('the start was expected to be refused');
  return error.message;
};

const worksStill = async (service: TestService, secret: string): Promise<boolean> => {
  const answer = await fetch(`${service.url}/sandboxes`, { headers: { 'x-service-key': secret } });
  return answer.status === 200;
};

/** The sinks fold entries that a start found in the outbox; content is compared only with folded entries. */
const foldedEntries = (client: ReturnType<typeof customerClient>, count: number) =>
  eventually(`${count} entries are folded`, WITHIN_MS, async () =>
    (await verifyChain(client)).treeSize >= count ? true : undefined,
  );

beforeAll(async () => {
  await during(async (service) => {
    customer = await makeCustomer(service, 'Example Ltd');
    const keys = `/internal/customers/${customer.id}/api-keys`;
    const made = (await internal(service).request('POST', keys, { name: 'second' })).body;
    revoked = String(made.key);
    key = { scope: customer.id, collection: API_KEYS, id: String(made.id) };
    await internal(service).request('DELETE', `${keys}/${made.id}`);
    const client = customerClient(service.url, customer.key);
    await foldedEntries(client, 3);
  });
}, WITHIN_MS);
afterAll(() => removeDataDir(dataDir));

const unrevoked = (value: object): object => ({ ...value, status: 'active', revokedAt: null });

test(
  'a start is refused and names a key un-revoked directly in the state; once accepted, the key stays revoked',
  async () => {
    await inState((state) => replace(state, key, unrevoked));
    expect(await refusal()).toMatch(
      new RegExp(
        `API key ${key.id} of customer ${customer.id} \\(differs from the ledger, entry \\d+\\).*cas migrate --accept-changed-documents`,
        's',
      ),
    );
    const accepted = await runCas(['migrate', '--accept-changed-documents'], { DATA_DIR: dataDir });
    expect(accepted.output).toContain(`Accepted: API key ${key.id} of customer ${customer.id}`);
    expect(accepted.output).toContain('1 new version, 0 new seals');
    await during(async (service) => {
      expect(await worksStill(service, revoked)).toBe(false);
      expect(await worksStill(service, customer.key)).toBe(true);
      await foldedEntries(customerClient(service.url, customer.key), 4);
    });
  },
  3 * WITHIN_MS,
);

test(
  'a plan changed directly in the state is detected by its seal',
  async () => {
    const ref = { scope: customer.id, collection: 'customers', id: customer.id };
    await inState((state) => replace(state, ref, (value) => ({ ...value, auditQuota: null, burst: 10_000 })));
    expect(await refusal()).toContain(
      `document of customers of customer ${customer.id} (does not match its seal)`,
    );
    await runCas(['migrate', '--accept-changed-documents'], { DATA_DIR: dataDir });
    await during(async (service) =>
      expect(await verifyChain(customerClient(service.url, customer.key))).toMatchObject({ status: 'VALID' }),
    );
  },
  3 * WITHIN_MS,
);

test(
  'state from a release before seals is sealed at its first start, unless the ledger disagrees',
  async () => {
    const strip = (state: State) =>
      Promise.all(
        [SYSTEM_SCOPE, customer.id].flatMap((scope) =>
          sealedCollections(scope).map(async (collection) => {
            for (const id of await state.documents.ids(scope, collection))
              await replace(state, { scope, collection, id }, (value) => value, false);
          }),
        ),
      );
    const forget = (state: State) =>
      state.documents.write(SYSTEM_SCOPE, [{ collection: META, id: 'documentsSealed', value: null }]);
    await inState(strip);
    // Without the marker of such a release, missing seals are tampering.
    expect(await refusal()).toContain('has no seal');
    await inState(async (state) => {
      await forget(state);
      await replace(state, key, unrevoked);
    });
    expect(await refusal()).toContain(
      `API key ${key.id} of customer ${customer.id} (differs from the ledger`,
    );
    await inState((state) => replace(state, key, (value) => ({ ...value, status: 'revoked' })));
    await runCas(['migrate', '--accept-changed-documents'], { DATA_DIR: dataDir });
    await inState(async (state) => {
      await strip(state);
      await forget(state);
    });
    await during(async (service) =>
      expect(await verifyChain(customerClient(service.url, customer.key))).toMatchObject({ status: 'VALID' }),
    );
    await during(async () => undefined);
  },
  3 * WITHIN_MS,
);
