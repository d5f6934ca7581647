import { createHash } from 'node:crypto';
import { Registry } from 'prom-client';
import { verifyPackage } from '#core/evidence/package/verify-package.ts';
import { PACKAGE_BUDGETS } from '#core/plans/plans.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { MAX_IN_PROGRESS } from '#records/packages/packages.ts';
import { buildApp } from '../../app.ts';
import type { TestCustomer } from '../../testing/harness.ts';
import { type PackageWorld, startPackageWorld } from '../../testing/package-world.ts';
import { runPackageRound } from './package-rounds.ts';

/** Packages over HTTP, of stored signals and incidents. */

const ASKED = { framework: 'GDPR', startDate: '2026-01-01', endDate: '2099-12-31' };

let world: PackageWorld;
let owner: TestCustomer;
beforeAll(async () => {
  world = await startPackageWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.customer();
  await world.signal(owner);
  await world.fold();
});

const ask = (change: object = {}, by = owner) => world.send(by, 'POST', '/packages', { ...ASKED, ...change });
const read = (id: string, by = owner) => world.send(by, 'GET', `/packages/${id}`);
/** Allows the next checkpoint: at most one per second is made. */
const later = (ms = 2_000): void => {
  world.harness.skew += ms;
};
const make = (): Promise<number | null> => runPackageRound(world.jobs(), owner.id);
/** Id of a READY package. */
async function made(change: object = {}): Promise<string> {
  later();
  const { body } = await ask(change);
  await make();
  return body.data.id as string;
}
const download = async (id: string, by = owner) => {
  const response = await world.harness.app.inject({
    url: `/evidence/packages/${id}/download`,
    headers: by.headers,
  });
  const bytes = response.rawPayload;
  return {
    response,
    bytes,
    source: { size: bytes.length, read: async (a: number, b: number) => bytes.subarray(a, b) },
  };
};
const keys = () => {
  const { signingKey, settings } = world.harness.dependencies;
  return [{ ...signingKey, name: settings.ledgerOrigin }];
};

describe('a package', () => {
  test('is requested, made and downloaded; it verifies, and the ledger records it', async () => {
    const incident = await world.send(owner, 'POST', '/incidents', { signalId: await firstSignal() });
    expect(incident.status).toBe(201);
    await world.fold();
    later();
    const asked = await ask();
    expect([asked.status, asked.body.data]).toMatchObject([
      201,
      {
        framework: 'GDPR',
        startDate: '2026-01-01T00:00:00.000Z',
        endDate: '2099-12-31T23:59:59.999Z',
        includeIncidents: true,
        includeHashChain: true,
        status: 'GENERATING',
        progress: 0,
        sizeBytes: null,
        sha256: null,
        failure: null,
      },
    ]);
    const { id } = asked.body.data;
    const early = await world.send(owner, 'GET', `/packages/${id}/download`);
    expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([
      409,
      'PACKAGE_NOT_READY',
      '2',
    ]);
    await make();
    const ready = (await read(id)).body.data;
    expect(ready).toMatchObject({ status: 'READY', progress: 1 });
    const { response, bytes, source } = await download(id);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/zip');
    expect(response.headers['content-disposition']).toBe(`attachment; filename="evidence-GDPR-${id}.zip"`);
    expect(bytes.length).toBe(ready.sizeBytes);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(ready.sha256);
    const verdict = await verifyPackage(source, keys());
    expect(verdict.faults).toEqual([]);
    expect(verdict.manifest).toMatchObject({
      customerId: owner.id,
      framework: 'GDPR',
      scope: 'NAMED',
      counts: { signals: 1, incidentEvents: 1 },
    });
    expect(verdict.facts.join()).toContain('attestations recounted');
    const { verifyPage } = world.jobs();
    expect(verdict.manifest!.files).toContainEqual({
      name: 'verify.html',
      size: verifyPage.length,
      sha256: createHash('sha256').update(verifyPage).digest('hex'),
    });
    await world.fold();
    const [event] = await world.real.warehouse.query<{ core: string }>(
      "SELECT core FROM entries WHERE customerId = {id:String} AND kind = 'EVIDENCE_EVENT'",
      { id: owner.id },
    );
    expect(JSON.parse(event!.core)).toMatchObject({ type: 'PACKAGE', packageId: id, sha256: ready.sha256 });
  });

  const location = async () => {
    const [name = ''] = await world.packages.names(owner.id);
    return { customerId: owner.id, name };
  };
  const replaced = async (content: Buffer) => {
    const own = await location();
    await world.packages.remove(own);
    await world.packages.write(
      own,
      (async function* () {
        yield content;
      })(),
    );
  };
  /** What each answer reports of a package. */
  const said = async (id: string) => {
    const answer = await world.send(owner, 'GET', `/packages/${id}/download`);
    const listed = (await world.send(owner, 'GET', '/packages')).body.data.find(
      (one: { id: string }) => one.id === id,
    );
    const own = (await read(id)).body.data;
    expect(listed).toEqual(own);
    return [own.status, own.sha256, own.failure, answer.status, answer.body.code, answer.body.message];
  };
  const GONE = 'The file of the package is missing. Request a new package.';
  const CHANGED = 'The file of the package was changed after it was created. Request a new package.';

  test.each(['the last byte', 'its end', 'its beginning'])(
    'changed at %s is never downloaded whole, is reported from then on, and is made again on request',
    async (where) => {
      const id = await made();
      const { bytes } = await download(id);
      const flipped = Buffer.from(bytes);
      flipped[bytes.length - 1]! ^= 1;
      const contents = {
        'the last byte': flipped,
        'its end': Buffer.concat([bytes, Buffer.from('x')]),
        'its beginning': bytes.subarray(1),
      };
      await replaced(contents[where as keyof typeof contents]);
      const answer = await world.send(owner, 'GET', `/packages/${id}/download`);
      expect([answer.status, answer.body.code]).toEqual([409, 'PACKAGE_FAILED']);
      expect(await said(id)).toEqual(['FAILED', null, CHANGED, 409, 'PACKAGE_FAILED', CHANGED]);
      const other = await made();
      expect(other).not.toBe(id);
      expect((await download(other)).response.statusCode).toBe(200);
      expect(await world.packages.names(owner.id)).toHaveLength(1);
    },
  );

  test.each(['the package', 'the list', 'the download', 'the same request'])(
    'without its file is FAILED on the first request for %s, and is made again on request',
    async (first) => {
      const id = await made();
      await world.fold();
      later();
      await world.packages.remove(await location());
      const asks = {
        'the package': () => read(id),
        'the list': () => world.send(owner, 'GET', '/packages'),
        'the download': () => world.send(owner, 'GET', `/packages/${id}/download`),
        'the same request': () => ask(),
      };
      const { status, body } = await asks[first as keyof typeof asks]();
      const shown = { status: 'FAILED', failure: GONE, sha256: null };
      if (first === 'the package') expect(body.data).toMatchObject(shown);
      if (first === 'the list') expect(body.data).toMatchObject([shown]);
      if (first === 'the download') expect([status, body.message]).toEqual([409, GONE]);
      if (first === 'the same request') expect([status, body.data.id === id]).toEqual([201, false]);
      expect(await said(id)).toEqual(['FAILED', null, GONE, 409, 'PACKAGE_FAILED', GONE]);
      const other = await made();
      expect((await download(other)).response.statusCode).toBe(200);
    },
  );

  test('is the same for the same request until the ledger grows', async () => {
    const id = await made();
    await world.fold();
    later();
    const again = await ask();
    expect([again.status, again.body.data.id, again.body.data.status]).toEqual([200, id, 'READY']);
    expect((await ask({ includeIncidents: false })).status).toBe(201);
    await world.signal(owner);
    await world.fold();
    later();
    const newer = await ask();
    expect(newer.status).toBe(201);
    expect(newer.body.data.id).not.toBe(id);
  });

  test('has the same bytes whenever it is made from the same checkpoint', async () => {
    const first = await made();
    const { bytes } = await download(first);
    const { documents } = world.harness.state;
    const ref = { scope: owner.id, collection: 'packages', id: owner.id };
    const packageList = (await documents.get<{ packages: object[] }>(ref))!.value;
    const value = {
      ...packageList,
      packages: packageList.packages.map((one) => ({ ...one, status: 'GENERATING', file: null })),
    };
    await documents.write(owner.id, [{ collection: 'packages', id: owner.id, value }]);
    await make();
    expect((await download(first)).bytes.equals(bytes)).toBe(true);
  });

  test('contains only what was requested', async () => {
    const id = await made({ includeIncidents: false, includeHashChain: false });
    const verdict = await verifyPackage((await download(id)).source, keys());
    expect(verdict.faults).toEqual([]);
    expect(verdict.manifest!.files.map(({ name }) => name)).toEqual([
      'README.txt',
      'attestations.json',
      'checkpoint.txt',
      'coverage.json',
      'oscal/assessment-results.json',
      'signals.ndjson',
      'verify.html',
    ]);
  });

  test('for a period without signals is empty, and verifies', async () => {
    const id = await made({ startDate: '2020-01-01', endDate: '2020-12-31' });
    const verdict = await verifyPackage((await download(id)).source, keys());
    expect([verdict.faults, verdict.manifest!.counts]).toEqual([
      [],
      { signals: 0, incidentEvents: 0, entries: 0 },
    ]);
  });

  test('is unknown to other customers', async () => {
    const id = await made();
    const other = await world.customer();
    for (const path of [`/packages/${id}`, `/packages/${id}/download`]) {
      const answer = await world.send(other, 'GET', path);
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await world.send(other, 'GET', '/packages')).body.data).toEqual([]);
  });

  test('can be listed, newest first', async () => {
    const first = await made();
    const second = await made({ includeIncidents: false });
    const { body } = await world.send(owner, 'GET', '/packages?limit=1');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second]);
    const next = await world.send(owner, 'GET', `/packages?limit=1&cursor=${body.pagination.nextCursor}`);
    expect(next.body.data.map(({ id }: { id: string }) => id)).toEqual([first]);
  });
});

const firstSignal = async (): Promise<string> => {
  const { body } = await world.harness.call({ url: '/dashboard/signals', headers: owner.headers });
  return body.data[0].id as string;
};

describe('a refused request', () => {
  test('answers 400 for an invalid framework, period or flag', async () => {
    for (const change of [
      { framework: 'NOPE' },
      { startDate: 'yesterday' },
      { endDate: undefined },
      { startDate: '2027-01-01', endDate: '2026-01-01' },
      { includeIncidents: 'yes' },
    ]) {
      const answer = await ask(change);
      expect([change, answer.status, answer.body.code]).toEqual([change, 400, 'INVALID_REQUEST']);
    }
  });

  test('answers 503 without storage for packages', async () => {
    const { packages: _, metrics: __, ...rest } = world.harness.dependencies;
    const app = buildApp({ ...rest, metrics: new Registry() });
    const answer = await app.inject({
      method: 'POST',
      url: '/evidence/packages',
      headers: owner.headers,
      payload: ASKED,
    });
    await app.close();
    expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([
      503,
      'PACKAGES_OFF',
      '60',
    ]);
  });

  test('answers 429 beyond the packages in progress', async () => {
    later();
    for (let number = 0; number < MAX_IN_PROGRESS; number += 1)
      expect((await ask({ startDate: `2026-01-0${number + 1}` })).status).toBe(201);
    const refused = await ask({ startDate: '2026-02-01' });
    expect([refused.status, refused.body.code]).toEqual([429, 'PACKAGES_UNDER_WAY']);
  });

  test('answers 403 beyond the plan’s packages', async () => {
    owner = await world.customer('DEV');
    await world.signal(owner);
    await world.fold();
    for (let number = 0; number < PACKAGE_BUDGETS.DEV.packages; number += 1)
      await made({ startDate: `2026-01-0${number + 1}` });
    const refused = await ask({ startDate: '2026-02-01' });
    expect([refused.status, refused.body.code]).toEqual([403, 'PACKAGE_LIMIT_REACHED']);
    expect(refused.body.message).toContain('DEV plan limit of 5 kept packages');
  });

  test('answers 404 for an expired package, whose file is removed', async () => {
    const id = await made();
    expect(await world.packages.names(owner.id)).toHaveLength(1);
    later(31 * 86_400_000);
    try {
      expect((await read(id)).body.data).toMatchObject({ status: 'EXPIRED', sizeBytes: null });
      const answer = await world.send(owner, 'GET', `/packages/${id}/download`);
      expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
      expect(await make()).toBeNull();
      expect(await world.packages.names(owner.id)).toEqual([]);
    } finally {
      later(-31 * 86_400_000);
    }
  });
});
