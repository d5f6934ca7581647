import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { type Client, createClient, type RequestFailed } from '../../cli/command/client.ts';
import { runCas } from '../helpers/cas-process.ts';
import { makeCustomer, makeSandbox, type TestCustomer, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { verifyChain } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** A signal erased at a person's request, and an auditor of one framework, seen from outside. */

const WITHIN_MS = 30_000;
type Data = Record<string, never> & Record<string, unknown>;

describe('one customer with two frameworks', () => {
  const dataDir = temporaryDataDir();
  let service: TestService;
  let customer: TestCustomer;
  let vkey: string;
  /** Two signals under GDPR, one under SOC2. */
  let [erased, kept, other]: string[] = [];

  const get = async (path: string, client: Client = customer.client): Promise<Data> =>
    (await client.request('GET', path)).body.data as unknown as Data;
  const post = async (path: string, body: object): Promise<Data> =>
    (await customer.client.request('POST', path, body)).body.data as unknown as Data;
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: RequestFailed) => [error.statusCode, error.code],
    );
  const entriesStored = (count: number) =>
    eventually(`${count} entries are signed`, WITHIN_MS, async () =>
      Number((await get('/evidence/hash-chain/checkpoint')).treeSize) >= count ? true : undefined,
    );
  const save = (name: string, content: object): string => {
    const file = path.join(dataDir, name);
    writeFileSync(file, content instanceof Uint8Array ? content : JSON.stringify(content));
    return file;
  };
  /** Output of `cas verify` for a file that must be valid. */
  const verified = async (file: string, ...more: string[]): Promise<string> => {
    const { code, output } = await runCas(['verify', file, '--key', vkey, ...more], {});
    expect([code, output]).toEqual([0, expect.any(String)]);
    return output;
  };
  const takePackage = async (): Promise<string> => {
    const asked = {
      framework: 'GDPR',
      startDate: '2026-01-01',
      endDate: '2099-12-31',
      includeHashChain: true,
    };
    const { id } = await post('/evidence/packages', asked);
    await eventually('the package is ready', WITHIN_MS, async () =>
      String((await get(`/evidence/packages/${id}`)).status) === 'READY' ? true : undefined,
    );
    return String(id);
  };

  beforeAll(async () => {
    service = await startService(dataDir);
    customer = await makeCustomer(service, 'Erasing Ltd');
    await makeSandbox(customer.client, 'private', { regulations: ['GDPR'] });
    await makeSandbox(customer.client, 'code', { regulations: ['SOC2'] });
    const ids: string[] = [];
    for (const [number, slug] of ['private', 'private', 'code'].entries())
      ids.push(String((await post('/audit/ingest', triplet(slug, number))).auditId));
    [erased, kept, other] = ids;
    const [key] = (await get('/evidence/hash-chain/keys')) as unknown as { vkey: string }[];
    vkey = key!.vkey;
    await entriesStored(6);
  }, 120_000);
  afterAll(async () => {
    await service?.killTree();
    removeDataDir(dataDir);
  }, 60_000);

  test('an erasure is proved offline, deletes the package with the signal, and changes no earlier entry', async () => {
    const packageId = await takePackage();
    await entriesStored(7);
    const before = save('before.json', await get('/evidence/hash-chain/checkpoint'));
    await customer.client.request(
      'DELETE',
      `/evidence/retention/signals/${erased}?reason=DATA_SUBJECT_REQUEST`,
    );
    const receipt = await eventually('the receipt', WITHIN_MS, async () => {
      const answer = await get(`/evidence/retention/erasures/${erased}`);
      return answer.receipt === null ? undefined : answer;
    });
    expect(await verified(save('receipt.json', receipt))).toContain(`erasure of signal ${erased}`);
    expect(await refusal(get(`/dashboard/signals/${erased}`))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(customer.client.request('GET', `/evidence/packages/${packageId}/download`))).toEqual(
      [404, 'NOT_FOUND'],
    );
    const proof = await get(`/evidence/hash-chain/proofs/inclusion?auditId=${erased}`);
    expect([proof.coreSalt, proof.detailSalt]).toEqual([null, null]);
    expect(await verified(save('entry.json', proof))).toContain(`SIGNAL ${erased}`);
    const growth = save('growth.json', await get('/evidence/hash-chain/proofs/consistency?fromSize=7'));
    expect(await verified(growth, '--from', before)).toContain('consistent: the first 7 of ');
    expect(await verifyChain(customer.client)).toMatchObject({ status: 'VALID', erasedSignals: 1 });
  }, 60_000);

  test('an auditor sees one framework until revoked, and the ledger records each call', async () => {
    const made = await post('/evidence/auditors', {
      name: 'Carol of Example Audits',
      permissions: ['READ_ATTESTATIONS', 'READ_SIGNALS', 'VERIFY_HASH_CHAIN'],
      frameworks: ['GDPR'],
    });
    const auditor = createClient(service.url, { authorization: `Bearer ${String(made.token)}` });
    const controls = (await get('/auditor/attestations', auditor)) as unknown as { framework: string }[];
    expect(new Set(controls.map(({ framework }) => framework))).toEqual(new Set(['GDPR']));
    const signals = (await get('/auditor/signals', auditor)) as unknown as { auditId: string }[];
    expect(signals.map(({ auditId }) => auditId)).toEqual([kept]);
    expect(signals.map(({ auditId }) => auditId)).not.toContain(other);
    expect(await get('/auditor/hash-chain/verify', auditor)).toMatchObject({ status: 'VALID' });
    expect(await refusal(get('/auditor/attestations?framework=SOC2', auditor))).toEqual([
      403,
      'FRAMEWORK_NOT_GRANTED',
    ]);
    expect(await refusal(get('/auditor/incidents', auditor))).toEqual([403, 'PERMISSION_NOT_GRANTED']);
    await customer.client.request('DELETE', `/evidence/auditors/${made.id}`);
    expect(await refusal(get('/auditor/attestations', auditor))).toEqual([401, 'INVALID_AUDITOR_TOKEN']);

    // A key, two sandboxes, three signals, a package, an erasure, a token created and revoked, five calls.
    const size = 1 + 2 + 3 + 1 + 1 + 2 + 5;
    await entriesStored(size);
    expect(await verifyChain(customer.client)).toMatchObject({ status: 'VALID', treeSize: size });
    const id = await takePackage();
    const headers = { 'x-service-key': customer.key };
    const answer = await fetch(`${service.url}/evidence/packages/${id}/download`, { headers });
    const file = save('package.zip', new Uint8Array(await answer.arrayBuffer()));
    expect(await verified(file)).toContain(`${size} entries from index 0 are linked`);
  }, 60_000);
});
