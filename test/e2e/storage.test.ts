import { statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '#jest';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { RequestFailed } from '../../cli/command/client.ts';
import { customerClient, makeCustomer, makeSandbox, triplet } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { finalStatuses } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** A whole service with little disk space. */

const MIB = 1024 * 1024;
const SLUG = 'storage';
const WITHIN_MS = 120_000;
const FINAL_WITHIN_MS = 60_000;
let dataDir: string;
let service: TestService;

afterEach(async () => {
  await service.stop();
  removeDataDir(dataDir);
});

const start = async (environment: Record<string, string>): Promise<void> => {
  service = await startService(dataDir, environment);
};
const ready = async () => {
  const answer = await fetch(`${service.url}/health/ready`);
  const { checks } = (await answer.json()) as { checks: { storage: { ok: boolean; message?: string } } };
  return { status: answer.status, storage: checks.storage };
};
const metric = async (line: string): Promise<boolean> =>
  (await (await fetch(`${service.url}/metrics`)).text()).split('\n').includes(line);

test(
  'low disk space: readiness and metrics report it, ingest answers 503, reads continue; with space it accepts audits again',
  async () => {
    dataDir = temporaryDataDir();
    await start({ DATA_MIN_FREE_BYTES: String(Number.MAX_SAFE_INTEGER) });
    const customer = await makeCustomer(service, 'Short of space');
    await makeSandbox(customer.client, SLUG);
    const refused = await customer.client
      .request('POST', '/audit/ingest', triplet(SLUG, 1))
      .catch((error) => error);
    expect(refused).toBeInstanceOf(RequestFailed);
    expect((refused as RequestFailed).code).toBe('STORAGE_FULL');
    const { status, storage } = await ready();
    expect([status, storage.ok]).toEqual([200, false]);
    expect(storage.message).toMatch(/^ingest answers 503: .*DATA_MIN_FREE_BYTES/);
    expect(await metric('cas_storage_level{store="warehouse",limit="free_bytes"} 2')).toBe(true);
    expect((await customer.client.request('GET', '/dashboard/signals')).body.data).toEqual([]);

    await service.stop();
    await start({});
    expect((await ready()).storage).toEqual({ ok: true });
    const client = customerClient(service.url, customer.key);
    const { auditId } = (await client.request('POST', '/audit/ingest', triplet(SLUG, 1))).body;
    const statuses = await finalStatuses(client, new Set([String(auditId)]), FINAL_WITHIN_MS);
    expect(statuses.get(String(auditId))).toBe('COMPLETED');
  },
  WITHIN_MS,
);

test(
  'more data than the log’s budget passes through it: every accepted audit completes, and the file stays small',
  async () => {
    dataDir = temporaryDataDir();
    await start({ LOG_MAX_BYTES: String(16 * MIB) });
    const customer = await makeCustomer(service, 'Much');
    await makeSandbox(customer.client, SLUG, { sandboxType: 'CUSTOM' });
    const text = 'word '.repeat(80_000);
    const accepted = new Set<string>();
    for (let number = 0; accepted.size < 60; number += 1) {
      const sent = { ...triplet(SLUG, number), response: text };
      await customer.client.request('POST', '/audit/ingest', sent).then(
        ({ body }) => accepted.add(String(body.auditId)),
        (error: unknown) => {
          if (!(error instanceof RequestFailed) || error.statusCode !== 503) throw error;
        },
      );
    }
    const statuses = await finalStatuses(customer.client, accepted, FINAL_WITHIN_MS);
    expect([...statuses.values()].filter((status) => status === 'FAILED')).toEqual([]);
    expect([...accepted].filter((auditId) => !statuses.has(auditId))).toEqual([]);
    expect(statSync(path.join(dataFolder(dataDir).log, 'log.mdb')).size).toBeLessThan(32 * MIB);
    await eventually('there is room again', 10_000, async () =>
      (await metric('cas_storage_level{store="log",limit="max_bytes"} 0')) ? true : undefined,
    );
  },
  WITHIN_MS,
);
