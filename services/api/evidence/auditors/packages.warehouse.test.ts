import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { makeAuditor, type TestAuditor } from '../../testing/auditors.ts';
import type { TestCustomer } from '../../testing/harness.ts';
import { type PackageWorld, startPackageWorld } from '../../testing/package-world.ts';
import { runPackageRound } from '../packages/package-rounds.ts';

/** Packages visible to an auditor's token. */

let world: PackageWorld;
let owner: TestCustomer;
/** Ids of READY packages, by their request. */
const ids: Record<string, string> = {};
const ASKED = {
  gdprOfMarch: { framework: 'GDPR', startDate: '2026-03-01', endDate: '2026-03-31' },
  gdprOfSpring: { framework: 'GDPR', startDate: '2026-03-01', endDate: '2026-05-31' },
  soc2OfMarch: { framework: 'SOC2', startDate: '2026-03-01', endDate: '2026-03-31' },
};

beforeAll(async () => {
  world = await startPackageWorld();
  owner = await world.customer();
  await world.signal(owner);
  await world.fold();
  for (const [name, asked] of Object.entries(ASKED)) {
    // At most one checkpoint per second is made.
    world.harness.skew += 2_000;
    const answer = await world.send(owner, 'POST', '/packages', asked);
    ids[name] = answer.body.data.id;
    await runPackageRound(world.jobs(), owner.id);
  }
}, 60_000);
afterAll(() => world.close());

const call = (url: string, { headers }: TestAuditor) => world.harness.call({ url, headers });
const download = (id: string, { headers }: Pick<TestAuditor, 'headers'>) =>
  world.harness.app.inject({ url: `/auditor/packages/${id}/download`, headers });
const shownTo = async (auditor: TestAuditor): Promise<string[]> => {
  const listed = await call('/auditor/packages', auditor);
  expect([listed.status, listed.body.pagination.total]).toEqual([200, listed.body.data.length]);
  return listed.body.data.map(({ id }: { id: string }) => id);
};

describe('an auditor’s token', () => {
  test('without limits shows all packages as the customer sees them, with the same bytes', async () => {
    const auditor = await makeAuditor(world.harness, owner);
    const { gdprOfMarch, gdprOfSpring, soc2OfMarch } = ids;
    expect(await shownTo(auditor)).toEqual([soc2OfMarch, gdprOfSpring, gdprOfMarch]);
    const own = await world.send(owner, 'GET', '/packages');
    expect((await call('/auditor/packages', auditor)).body.data).toEqual(own.body.data);
    const page = await call('/auditor/packages?limit=1&page=2', auditor);
    expect(page.body.data).toEqual([own.body.data[1]]);
    const given = await download(gdprOfMarch!, auditor);
    const customers = await world.harness.app.inject({
      url: `/evidence/packages/${gdprOfMarch}/download`,
      headers: owner.headers,
    });
    expect([given.statusCode, given.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(given.rawPayload.equals(customers.rawPayload)).toBe(true);
  });

  test.each<[string, object, string[]]>([
    ['a framework', { frameworks: ['GDPR'] }, ['gdprOfSpring', 'gdprOfMarch']],
    ['a period', { periodStart: '2026-03-01', periodEnd: '2026-03-31' }, ['soc2OfMarch', 'gdprOfMarch']],
    ['a beginning', { periodStart: '2026-03-02' }, []],
    ['a framework that no sandbox names', { frameworks: ['SOC2', 'HIPAA'] }, []],
    ['an end', { periodEnd: '2026-03-31' }, ['soc2OfMarch', 'gdprOfMarch']],
    [
      'both',
      { frameworks: ['GDPR', 'HIPAA'], periodStart: '2026-01-01', periodEnd: '2026-04-30' },
      ['gdprOfMarch'],
    ],
  ])('limited to %s shows packages entirely within it', async (_, limits, shown) => {
    const auditor = await makeAuditor(world.harness, owner, limits);
    expect(await shownTo(auditor)).toEqual(shown.map((name) => ids[name]));
    for (const [name, id] of Object.entries(ids)) {
      const { statusCode } = await download(id, auditor);
      expect([name, statusCode]).toEqual([name, shown.includes(name) ? 200 : 404]);
    }
  });

  test('answers the same for hidden and for unknown packages', async () => {
    const auditor = await makeAuditor(world.harness, owner, { frameworks: ['HIPAA'] });
    const unknown = '01a2169e-aa65-7261-9a78-b9af5827db52';
    const [hidden, none] = [await download(ids.gdprOfMarch!, auditor), await download(unknown, auditor)];
    const said = ({ statusCode, payload }: typeof hidden) => [statusCode, JSON.parse(payload).message];
    expect(said(hidden)).toEqual(said(none));
  });
});
