import { cpSync, renameSync, rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { type DataFolder, dataFolder } from '#platform/data-folder/data-folder.ts';
import { runCas, StartFailed } from '../helpers/cas-process.ts';
import {
  customerClient,
  makeCustomer,
  makeSandbox,
  type TestCustomer,
  triplet,
} from '../helpers/customer.ts';
import { expectWhole, finalStatuses } from '../helpers/final-state.ts';
import { removeDataDir, startService, temporaryDataDir } from '../helpers/service.ts';

const SLUG = 'swapped';

/** Fills a data folder with `count` stored audits and stops the service. */
async function fill(
  dataDir: string,
  count: number,
): Promise<{ customer: TestCustomer; auditIds: Set<string> }> {
  const service = await startService(dataDir);
  try {
    const customer = await makeCustomer(service, 'Swapped stores');
    await makeSandbox(customer.client, SLUG);
    const auditIds = new Set<string>();
    for (let number = 0; number < count; number += 1) {
      auditIds.add(
        String((await customer.client.request('POST', '/audit/ingest', triplet(SLUG, number))).body.auditId),
      );
    }
    await finalStatuses(customer.client, auditIds, 60_000);
    return { customer, auditIds };
  } finally {
    await service.stop();
  }
}

describe('mismatched stores are rejected with instructions', () => {
  const filledDir = temporaryDataDir();
  /** Data of another installation with the same keys. */
  const otherDir = temporaryDataDir();
  let dataDir: string;
  let folder: DataFolder;
  let kept: { customer: TestCustomer; auditIds: Set<string> };

  beforeAll(async () => {
    kept = await fill(filledDir, 30);
    for (const key of ['masterKey', 'signingKey'] as const)
      cpSync(dataFolder(filledDir)[key], dataFolder(otherDir)[key]);
    await fill(otherDir, 90);
  }, 120_000);
  beforeEach(() => {
    dataDir = temporaryDataDir();
    folder = dataFolder(dataDir);
    cpSync(filledDir, dataDir, { recursive: true });
  });
  afterEach(() => removeDataDir(dataDir));
  afterAll(() => {
    removeDataDir(filledDir);
    removeDataDir(otherDir);
  });

  const refusal = async (): Promise<string> => {
    const error = await startService(dataDir).then(
      async (service) => {
        await service.killTree();
        return null;
      },
      (reason: unknown) => reason,
    );
    if (!(error instanceof StartFailed)) throw new Error('the start was expected to be refused');
    expect(error.failure.code).not.toBe(0);
    expect(error.failure.output).toMatch(/cas migrate --new-epoch/);
    return error.failure.output;
  };

  /** Replaces our `store` with the other installation's, which has more records. */
  const replaceByOther = (store: 'log' | 'state' | 'warehouse'): void => {
    rmSync(folder[store], { recursive: true });
    cpSync(dataFolder(otherDir)[store], folder[store], { recursive: true });
  };

  test.each(['log', 'state', 'warehouse'] as const)(
    '%s lost',
    async (store) => {
      rmSync(folder[store], { recursive: true });
      await refusal();
      // A refused start changes nothing: the second start is refused the same way.
      await refusal();
    },
    90_000,
  );

  test('log lost together with the state or the warehouse', async () => {
    rmSync(folder.state, { recursive: true });
    rmSync(folder.warehouse, { recursive: true });
    expect(await refusal()).toMatch(/log holds records/);
  }, 90_000);

  test('log replaced by one with more records', async () => {
    replaceByOther('log');
    await refusal();
  }, 120_000);

  test.each(['warehouse', 'state'] as const)(
    '%s replaced by that of another installation',
    async (store) => {
      replaceByOther(store);
      await refusal();
    },
    120_000,
  );

  /** After `cas migrate --new-epoch`: the stored data is complete, and new audits continue the same chain. */
  const expectContinues = async (stored: ReadonlySet<string>): Promise<void> => {
    expect(await runCas(['migrate', '--new-epoch'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    const service = await startService(dataDir);
    try {
      const client = customerClient(service.url, kept.customer.key);
      await finalStatuses(client, stored, 60_000);
      await expectWhole(client, stored);
      const auditId = String((await client.request('POST', '/audit/ingest', triplet(SLUG, 1))).body.auditId);
      const all = new Set([...stored, auditId]);
      await finalStatuses(client, all, 60_000);
      expect(await expectWhole(client, all)).toMatchObject({ status: 'VALID', treeSize: all.size + 2 });
    } finally {
      await service.stop();
    }
  };

  test.each(['log', 'warehouse'] as const)(
    '%s accepted as lost: the service continues in a new epoch',
    async (store) => {
      rmSync(folder[store], { recursive: true });
      await refusal();
      // Without the log all stored data remains; without the warehouse the log is folded again from its start.
      await expectContinues(kept.auditIds);
    },
    120_000,
  );

  test('a rejected folder resumes normally once its store is back', async () => {
    renameSync(folder.log, `${folder.log}.away`);
    await refusal();
    rmSync(folder.log, { recursive: true, force: true });
    renameSync(`${folder.log}.away`, folder.log);
    const service = await startService(dataDir);
    try {
      await expectWhole(customerClient(service.url, kept.customer.key), kept.auditIds);
    } finally {
      await service.stop();
    }
  }, 120_000);
});
