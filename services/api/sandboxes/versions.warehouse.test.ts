import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { foldedEntries } from '#platform/warehouse/queries/folded.ts';
import { archiveVersions } from '#records/sandboxes/archived-versions.ts';
import { entryIdOf } from '#schemas/events/events.ts';
import { LOG_EPOCHS } from '#schemas/tables/tables.ts';
import { LEDGER } from '#schemas/topics.ts';
import { sinkOf } from '../testing/sink-of.ts';
import { type StoredWorld, startStoredWorld } from '../testing/stored-world.ts';

const EPOCH = 1;
let world: StoredWorld;
let url: string;
beforeAll(async () => {
  world = await startStoredWorld();
  await world.real.insert(LOG_EPOCHS, [{ epoch: EPOCH, setUp: 'tests', at: '2026-11-01T00:00:00.000Z' }]);
  url = `/sandboxes/${world.sandboxId}`;
  for (const payload of [
    { name: 'Support, all', customRules: ['project falcon'] },
    { active: false },
    // Changes nothing, so makes no version.
    { active: false },
    { active: true, alertThreshold: 'LOW', regulations: ['GDPR'] },
  ])
    expect((await send('PATCH', url, payload)).status).toBe(200);
  expect((await send('DELETE', url)).status).toBe(200);
  await world.harness.settled();
}, 60_000);
afterAll(() => world.close());

const send = (method: 'PATCH' | 'DELETE', path: string, payload?: object) =>
  world.harness.call({
    method,
    url: path,
    headers: world.customer.headers,
    ...(payload === undefined ? {} : { payload }),
  });
const get = (path: string, headers = world.customer.headers) => world.harness.call({ url: path, headers });

const CHANGED = [
  [5, ['deletedAt']],
  [4, ['regulations', 'alertThreshold', 'active']],
  [3, ['active']],
  [2, ['name', 'customRules']],
  [1, []],
];

const expectWhole = async (): Promise<void> => {
  const { status, body } = await get(`${url}/versions`);
  expect(status).toBe(200);
  const listed = body.data as { version: number; createdAt: string; changedFields: string[] }[];
  expect(listed.map(({ version, changedFields }) => [version, changedFields])).toEqual(CHANGED);
  expect(body.pagination).toEqual({ page: 1, limit: 20, total: 5, pages: 1, nextCursor: null });
  for (const { version, createdAt, changedFields } of listed) {
    const one = await get(`${url}/versions/${version}`);
    expect(one.body.data).toMatchObject({ version, createdAt, changedFields });
    expect(one.body.sandbox).toMatchObject({ id: world.sandboxId, version, updatedAt: createdAt });
  }
  const second = await get(`${url}/versions/2`);
  expect(second.body.sandbox).toMatchObject({
    name: 'Support, all',
    slug: 'support-chat',
    customRules: ['project falcon'],
    alertThreshold: 'HIGH',
    active: true,
  });
  expect(second.body.sandbox.deletedAt).toBeUndefined();
  expect((await get(`${url}/versions/5`)).body.sandbox.deletedAt).toEqual(expect.any(String));
};

describe('versions of a sandbox', () => {
  test('are listed newest first with what each changed, even if deleted, and each can be read', expectWhole);

  test('pages and cursors show each once', async () => {
    const seen: number[] = [];
    let path: string | null = `${url}/versions?limit=2`;
    while (path !== null) {
      const { body }: { body: { data: { version: number }[]; pagination: { nextCursor: string | null } } } =
        await get(path);
      seen.push(...body.data.map(({ version }) => version));
      const { nextCursor } = body.pagination;
      path = nextCursor === null ? null : `${url}/versions?limit=2&cursor=${nextCursor}`;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
    const second = await get(`${url}/versions?limit=2&page=2`);
    expect(second.body.data.map(({ version }: { version: number }) => version)).toEqual([3, 2]);
    // The changes of a page's last version are known too.
    expect(second.body.data.at(-1).changedFields).toEqual(['name', 'customRules']);
    expect((await get(`${url}/versions?page=9`)).body.data).toEqual([]);
  });

  test('are 404 if unknown, of an unknown sandbox, or of another customer', async () => {
    const other = await world.harness.customer();
    for (const [path, headers] of [
      ...['0', '6', '01', '-1', '1.0', 'x', '__proto__', '9'.repeat(30)].map(
        (version) => [`${url}/versions/${version}`, world.customer.headers] as const,
      ),
      [`/sandboxes/none/versions`, world.customer.headers] as const,
      [`/sandboxes/none/versions/1`, world.customer.headers] as const,
      [`${url}/versions`, other.headers] as const,
      [`${url}/versions/1`, other.headers] as const,
      ['/sandboxes/support-chat/versions/1', other.headers] as const,
    ])
      expect([path, (await get(path, headers)).status]).toEqual([path, 404]);
  });

  // Last, because it archives them.
  test('are the same after the state archived them', async () => {
    const { harness, real, customer, sandboxId } = world;
    await sinkOf(harness, real, EPOCH).fold(LEDGER.name);
    const archived = await archiveVersions(
      {
        documents: harness.state.documents,
        folded: async (owner, ids) => {
          const named = new Map(ids.map((id) => [entryIdOf('POLICY_EVENT', id), id]));
          const found = await foldedEntries(real.warehouse, owner, [...named.keys()]);
          return new Set([...found].map((entryId) => named.get(entryId)!));
        },
        replacedBefore: new Date(Date.now() + 86_400_000).toISOString(),
      },
      customer.id,
      sandboxId,
    );
    expect(archived).toBe(5);
    await expectWhole();
  });
});
