import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, createClient } from '../../cli/command/client.ts';
import { customerClient, makeCustomer } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { finalStatuses } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';
import { readServed } from './served.ts';
import { AUDITS, FAILING_MODEL, INTERNAL_SIGNAL, SANDBOXES } from './story.ts';

/**
 * Records a service's stored data after a short story: `data.tar.gz`, the data folder of a stopped service, and
 * `served.json`, the service's responses about it. Argument: the folder to write to. The committed files are never
 * regenerated: they represent installations older than the code.
 */

const WITHIN_MS = 120_000;

const internalOf = ({ url, internalSecret }: TestService): Client =>
  createClient(url, { 'x-internal-secret': internalSecret });

async function playStory(
  service: TestService,
): Promise<{ key: string; customerId: string; erasedId: string }> {
  const internal = internalOf(service);
  const customer = await makeCustomer(service, 'Recorded Ltd');
  const revoked = await internal.request('POST', `/internal/customers/${customer.id}/api-keys`, {
    name: 'old',
  });
  const { client } = customer;
  for (const { made, changed, isDeleted } of SANDBOXES) {
    const { id } = (await client.request('POST', '/sandboxes', made)).body.data as unknown as { id: string };
    if (changed !== undefined) await client.request('PATCH', `/sandboxes/${id}`, changed);
    if (isDeleted === true) await client.request('DELETE', `/sandboxes/${id}`);
  }
  const revokedId =
    (revoked.body as unknown as { id?: string; data?: { id: string } }).data?.id ?? revoked.body.id;
  await internal.request('DELETE', `/internal/customers/${customer.id}/api-keys/${revokedId}`);
  const auditIds = new Set<string>();
  for (const audit of AUDITS)
    auditIds.add(String((await client.request('POST', '/audit/ingest', audit)).body.auditId));
  await internal.request('POST', '/internal/signal', { ...INTERNAL_SIGNAL, customerId: customer.id });
  const erased = await makeCustomer(service, 'Erased Ltd');
  await erased.client.request('POST', '/sandboxes', SANDBOXES[0]!.made);
  const erasedAudits = new Set<string>();
  for (const audit of AUDITS.slice(0, 3))
    erasedAudits.add(String((await erased.client.request('POST', '/audit/ingest', audit)).body.auditId));
  await finalStatuses(erased.client, erasedAudits, WITHIN_MS);
  await internal.request('DELETE', `/internal/customers/${erased.id}`);
  await eventually('the erasure is complete', WITHIN_MS, async () => {
    const { body } = await internal.request('GET', `/internal/customers/${erased.id}`);
    return (
      (body.data as unknown as { erasure?: { status: string } }).erasure?.status === 'COMPLETED' || undefined
    );
  });
  await finalStatuses(client, auditIds, WITHIN_MS);
  return { key: customer.key, customerId: customer.id, erasedId: erased.id };
}

async function record(folder: string): Promise<void> {
  const dataDir = temporaryDataDir();
  const service = await startService(dataDir, { FAULT_INJECTION: `open:${FAILING_MODEL}:3` });
  const { key, customerId, erasedId } = await playStory(service);
  const client = customerClient(service.url, key);
  await eventually('everything accepted is counted', WITHIN_MS, async () => {
    const { body } = await client.request('GET', '/dashboard/books');
    return (body.freshness as unknown as { complete: boolean }).complete || undefined;
  });
  const served = await readServed(client, internalOf(service), customerId, erasedId);
  if ((await service.stop()) !== 0) throw new Error('the service did not stop by itself');
  execFileSync('tar', [
    '--sparse',
    '--sort=name',
    '-czf',
    path.join(folder, 'data.tar.gz'),
    '-C',
    dataDir,
    '.',
  ]);
  writeFileSync(
    path.join(folder, 'served.json'),
    `${JSON.stringify({ key, customerId, erasedId, served }, null, 1)}\n`,
  );
  removeDataDir(dataDir);
}

await record(process.argv[2] ?? '.');
