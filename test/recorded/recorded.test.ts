import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { type Client, createClient } from '../../cli/command/client.ts';
import { customerClient } from '../helpers/customer.ts';
import { allSignals, finalStatuses, verifyChain } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';
import { readServed } from './served.ts';
import { AUDITS } from './story.ts';

/** Data stored by an older version is served unchanged, verifies, and can be extended. */

interface Recorded {
  readonly key: string;
  readonly customerId: string;
  readonly erasedId: string;
  readonly served: Record<string, unknown>;
}

const WITHIN_MS = 60_000;
const FOLDER = path.join(packageRoot(), 'test/recorded');
const recorded = JSON.parse(readFileSync(path.join(FOLDER, 'served.json'), 'utf8')) as Recorded;
const dataDir = temporaryDataDir();
let service: TestService;
let client: Client;

beforeAll(async () => {
  execFileSync('tar', ['-xzf', path.join(FOLDER, 'data.tar.gz'), '-C', dataDir]);
  service = await startService(dataDir);
  client = customerClient(service.url, recorded.key);
}, WITHIN_MS);
afterAll(async () => {
  await service?.stop();
  removeDataDir(dataDir);
});

test(
  'serves all stored records unchanged',
  async () => {
    const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
    const served = await readServed(client, internal, recorded.customerId, recorded.erasedId);
    // A later version may serve more, but nothing different.
    expect(served).toMatchObject(recorded.served);
  },
  WITHIN_MS,
);

test(
  'continues the chain with new audits',
  async () => {
    const before = await verifyChain(client);
    expect(before).toMatchObject({ status: 'VALID', errors: [] });
    const stored = (await allSignals(client)).length;
    const auditIds = new Set<string>();
    for (const audit of AUDITS.slice(0, 5))
      auditIds.add(String((await client.request('POST', '/audit/ingest', audit)).body.auditId));
    const statuses = await finalStatuses(client, auditIds, WITHIN_MS);
    expect([...statuses.values()]).not.toContain('FAILED');
    expect(await verifyChain(client)).toMatchObject({
      status: 'VALID',
      errors: [],
      treeSize: before.treeSize + auditIds.size,
    });
    expect(await allSignals(client)).toHaveLength(stored + auditIds.size);
  },
  2 * WITHIN_MS,
);
