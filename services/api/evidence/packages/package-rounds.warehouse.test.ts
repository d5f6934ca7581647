import { verifyPackage } from '#core/evidence/package/verify-package.ts';
import { PACKAGE_BUDGETS } from '#core/plans/plans.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { type PackageFiles, PackageStorageFull, PackageStorageUnavailable } from '#platform/packages/port.ts';
import { WarehouseUnavailable } from '#platform/warehouse/port.ts';
import { packageListOf, packageWork } from '#records/packages/package-list.ts';
import { PACKAGES, type PackageList, type PackageRecord } from '#records/packages/package-record.ts';
import { expirePackagesWith } from '#records/packages/packages.ts';
import { SIGNALS } from '#schemas/tables/tables.ts';
import type { TestCustomer } from '../../testing/harness.ts';
import { internalHeaders } from '../../testing/harness.ts';
import { type PackageWorld, startPackageWorld } from '../../testing/package-world.ts';
import { startPackageBuilder } from './build-packages.ts';
import { isDue, type PackageJobDependencies, runPackageRound } from './package-rounds.ts';
import { checkPackages, READ_LEASE, sweepPackages } from './sweep-packages.ts';

/** What happens to packages when something fails or is erased, while they are made and afterwards. */

let world: PackageWorld;
let owner: TestCustomer;
let id: string;
beforeAll(async () => {
  world = await startPackageWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.customer();
  await world.signal(owner);
  await world.fold();
  world.harness.skew += 2_000;
  id = await ask();
});

async function ask(): Promise<string> {
  const asked = { framework: 'GDPR', startDate: '2026-01-01', endDate: '2099-12-31' };
  return (await world.send(owner, 'POST', '/packages', asked)).body.data.id as string;
}
const runRound = (changes: Partial<PackageJobDependencies> = {}): Promise<number | null> =>
  runPackageRound(world.jobs(changes), owner.id);
const packageList = (): Promise<PackageList> => packageListOf(world.harness.state.documents, owner.id);
const record = async (): Promise<PackageRecord> =>
  (await packageList()).packages.find((one) => one.id === id)!;
const isSound = async (): Promise<boolean> => {
  const { file } = await record();
  const opened = (await world.packages.open({ customerId: owner.id, name: file!.name }))!;
  const { signingKey, settings } = world.harness.dependencies;
  const { faults } = await verifyPackage(opened, [{ ...signingKey, name: settings.ledgerOrigin }]);
  await opened.close();
  return faults.length === 0;
};
/** Replaces the package's own record, with others before it. */
async function write(own: PackageRecord, ...others: PackageRecord[]): Promise<void> {
  const { packages, erasures } = await packageList();
  const rest = packages.filter((one) => one.id !== own.id);
  const value: PackageList = { erasures, packages: [...rest, ...others, own] };
  await world.harness.state.documents.write(owner.id, [{ collection: PACKAGES, id: owner.id, value }]);
}
/** Files with a custom write. */
const files = (write: (own: PackageFiles['write']) => PackageFiles['write']): PackageFiles => ({
  ...world.packages,
  write: write(world.packages.write),
});
/** Erases a stored entry of the ledger, by an ERASURE after all others. */
async function erase(index: number): Promise<void> {
  const { warehouse } = world.real;
  const [last] = await warehouse.query<Record<string, unknown>>(
    'SELECT * FROM entries WHERE customerId = {id:String} ORDER BY `index` DESC LIMIT 1',
    { id: owner.id },
  );
  const core = {
    ranges: [[index, index]],
    kinds: ['SIGNAL'],
    scope: 'ALL',
    reason: 'DATA_SUBJECT_REQUEST',
    basis: null,
    policyId: null,
    closing: false,
  };
  const row = { ...last, index: 1_000, kind: 'ERASURE', id: 'made-by-a-test', core: JSON.stringify(core) };
  await warehouse.insert('entries', Object.keys(row), [row]);
}
const signalIndex = async (): Promise<number> => {
  const [found] = await world.real.warehouse.query<{ index: number }>(
    'SELECT `index` FROM signals WHERE customerId = {id:String}',
    { id: owner.id },
  );
  return found!.index;
};

describe('a package', () => {
  test('is made by the next process from the same checkpoint if one died over it', async () => {
    const { basis } = await record();
    // Remains of a killed process: a noted attempt, and part of a file.
    await world.packages.write({ customerId: owner.id, name: `${id}.dead.zip` }, pieces('part'));
    const dying = files(() => () => Promise.reject(new Error('killed')));
    await expect(runRound({ packages: dying })).rejects.toThrow('killed');
    expect(await record()).toMatchObject({ status: 'GENERATING', attempts: 1 });
    await runRound();
    expect(await record()).toMatchObject({ status: 'READY', attempts: 2, basis });
    expect(await isSound()).toBe(true);
    await sweepPackages(
      { packages: world.packages, state: world.harness.state },
      new AbortController().signal,
    );
    expect(await world.packages.names(owner.id)).toEqual([(await record()).file!.name]);
  });

  test.each([
    ['is gone', 'GONE', null],
    ['was changed and has the same size', 'CHANGED', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['has another size', 'CHANGED', () => Buffer.from('other')],
  ])('whose file %s is found without a request, and logged as an error', async (_name, fault, change) => {
    await runRound();
    const { file } = await record();
    const location = { customerId: owner.id, name: file!.name };
    const opened = (await world.packages.open(location))!;
    const bytes = Buffer.from(await opened.read(0, opened.size));
    await opened.close();
    await world.packages.remove(location);
    if (change !== null) await world.packages.write(location, pieces(change(bytes)));
    const logged: unknown[] = [];
    const logger = { warn: () => undefined, error: (fields: object) => void logged.push(fields) };
    const { signal } = new AbortController();
    const checked = { ...world.harness.dependencies, packages: world.packages, logger: logger as never };
    await world.harness.state.expiring.delete(READ_LEASE);
    await checkPackages(checked, signal);
    await checkPackages(checked, signal);
    expect((await record()).status).toBe('FAILED');
    expect(logged).toEqual([{ customerId: owner.id, packageId: id, fault }]);
    await runRound();
    expect(await world.packages.names(owner.id)).toEqual([]);
  });

  test('waits while a store is down, and is given up after ten attempts', async () => {
    const down = files(() => () => Promise.reject(new WarehouseUnavailable('down', null)));
    const now = world.harness.dependencies.now();
    expect(await runRound({ packages: down })).toBeGreaterThan(now);
    expect(await record()).toMatchObject({ status: 'GENERATING', attempts: 1 });
    await write({ ...(await record()), attempts: 9 });
    await runRound({ packages: down });
    expect(await record()).toMatchObject({ status: 'GENERATING', attempts: 10 });
    await runRound({ packages: down });
    expect(await record()).toMatchObject({ status: 'FAILED', failure: expect.stringContaining('10 times') });
    const answer = await world.send(owner, 'GET', `/packages/${id}/download`);
    expect([answer.status, answer.body.code]).toEqual([409, 'PACKAGE_FAILED']);
  });

  test('is left to another process when one stops, without using an attempt', async () => {
    const stop = new AbortController();
    const ending = files((write) => (location, content) => {
      stop.abort();
      return write(location, content);
    });
    await runRound({ packages: ending, stopping: stop.signal });
    expect(await record()).toMatchObject({ status: 'GENERATING', attempts: 0 });
    expect(await world.packages.names(owner.id)).toEqual([]);
  });

  test('waits for its storage however long that is unavailable, without using an attempt', async () => {
    const gone = files(() => () => Promise.reject(new PackageStorageUnavailable('there is no bucket')));
    await write({ ...(await record()), attempts: 9 });
    for (let time = 0; time < 3; time += 1) {
      expect(await runRound({ packages: gone })).toBeGreaterThan(world.harness.dependencies.now() + 10_000);
      expect(await record()).toMatchObject({ status: 'GENERATING', attempts: 9, failure: null });
    }
    await runRound();
    expect(await record()).toMatchObject({ status: 'READY' });
  });

  test('fails with a reason if there is no room for it', async () => {
    const full = files(() => () => Promise.reject(new PackageStorageFull()));
    await runRound({ packages: full });
    expect(await record()).toMatchObject({
      status: 'FAILED',
      failure: expect.stringContaining('No space left'),
    });
  });

  test('fails before it is started if it would exceed the room', async () => {
    const size = {
      name: 'other.zip',
      sizeBytes: PACKAGE_BUDGETS.PRO.bytes - 1_000,
      sha256: '',
      holds: null,
      scope: 'NAMED' as const,
    };
    const other = { ...(await record()), id: 'other', status: 'READY' as const, file: size };
    await write(await record(), other);
    await runRound();
    const failure = expect.stringContaining('exceed the limit of 1000 bytes');
    expect(await record()).toMatchObject({ status: 'FAILED', failure });
  });

  test('is never released if it would not verify', async () => {
    const { warehouse } = world.real;
    const [row] = await warehouse.query<Record<string, unknown>>(
      'SELECT * FROM signals WHERE customerId = {id:String}',
      { id: owner.id },
    );
    await world.real.insert(SIGNALS, [{ ...row, revision: 1, model: 'another' }]);
    await runRound();
    expect(await record()).toMatchObject({
      status: 'FAILED',
      failure: expect.stringContaining('signals.ndjson:1: its core does not match its ledger entry'),
    });
    expect(await world.packages.names(owner.id)).toEqual([]);
  });
});

describe('an erasure', () => {
  test('restarts a package in progress from the current ledger', async () => {
    const { basis } = await record();
    let writes = 0;
    const erasing = files((write) => async (location, content) => {
      await write(location, content);
      writes += 1;
      if (writes > 1) return;
      await world.signal(owner);
      await world.fold();
      world.harness.skew += 2_000;
      await expirePackagesWith(world.harness.state.documents, owner.id, [[0, 0]], 0);
    });
    await runRound({ packages: erasing });
    expect(writes).toBe(2);
    const after = await record();
    expect([after.status, after.basis.size]).toEqual(['READY', basis.size + 1]);
    expect(await world.packages.names(owner.id)).toEqual([after.file!.name]);
  });

  test('removes a package that contains the erased content, with its file, and no other', async () => {
    await runRound();
    const { documents } = world.harness.state;
    const held = (await record()).file!.holds!;
    await expirePackagesWith(documents, owner.id, [[held[1] + 1, held[1] + 9]], 0);
    expect((await record()).status).toBe('READY');
    await expirePackagesWith(documents, owner.id, [[held[0], held[0]]], 0);
    expect((await record()).status).toBe('EXPIRED');
    expect((await world.send(owner, 'GET', `/packages/${id}/download`)).status).toBe(404);
    expect((await packageWork(documents)).find(({ customerId }) => customerId === owner.id)?.dueAt).toBe(0);
    await runRound();
    expect(await world.packages.names(owner.id)).toEqual([]);
  });

  test('is found by the next download if it was not reported', async () => {
    await runRound();
    await erase(await signalIndex());
    const answer = await world.send(owner, 'GET', `/packages/${id}/download`);
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    expect((await record()).status).toBe('EXPIRED');
  });

  test('is found by the job if it was not reported', async () => {
    await runRound();
    await erase(await signalIndex());
    await runRound();
    expect(await record()).toMatchObject({ status: 'EXPIRED', file: null });
    expect(await world.packages.names(owner.id)).toEqual([]);
  });

  test('of the customer removes every file', async () => {
    await runRound();
    expect(await world.packages.names(owner.id)).toHaveLength(1);
    const url = `/internal/customers/${owner.id}`;
    expect((await world.harness.call({ method: 'DELETE', url, headers: internalHeaders })).status).toBe(202);
    await runRound();
    expect(await world.packages.names(owner.id)).toEqual([]);
  });
});

test('work is due at its time, and at once if a fast clock had scheduled it', () => {
  const now = Date.UTC(2026, 10, 23);
  expect([now - 1, now, now + 1, now + 60_000].map((dueAt) => isDue(dueAt, now))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isDue(now + 3_600_000, now)).toBe(true);
});

test('the job makes requested packages', async () => {
  let job: ReturnType<typeof startPackageBuilder> | undefined;
  try {
    await new Promise<void>((resolve) => {
      const announce: PackageJobDependencies['announce'] = ({ scope }) => {
        if (scope === owner.id) resolve();
      };
      job = startPackageBuilder({ ...world.jobs({ announce }), everyMs: 1 });
    });
  } finally {
    await job?.stop();
  }
  expect((await record()).status).toBe('READY');
  const { documents } = world.harness.state;
  const due = (await packageWork(documents)).find(({ customerId }) => customerId === owner.id)!.dueAt;
  expect(due).toBeGreaterThan(world.harness.dependencies.now());
});

async function* pieces(text: string | Buffer): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
