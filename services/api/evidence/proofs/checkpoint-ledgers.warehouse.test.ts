import { afterAll, beforeAll, expect, test } from '#jest';
import { signedLast } from '#records/ledger/checkpoints.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import { rootAt, signalChain, storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';
import { startCheckpointer } from './checkpoint-ledgers.ts';

let world: StoredWorld;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());

test('the checkpointer signs without a request, and reports a rollback once', async () => {
  const { dependencies } = world.harness;
  const { warehouse } = world.real;
  const [grown, cut] = [await world.harness.customer(), await world.harness.customer()];
  const rows = signalChain(grown.id, 300);
  for (const { id } of [grown, cut]) {
    await storeChain(world, id, signalChain(id, 300));
    await growTree(warehouse, id, 300);
  }
  const signed = async (id: string) => (await signedLast(dependencies, id)).signed;
  const reported: object[] = [];
  let now = dependencies.now();
  const rounds: number[] = [];
  const job = startCheckpointer({
    ...dependencies,
    now: () => now,
    clock: () => 0,
    everyMs: 5,
    logger: { warn() {}, error: (fields: object) => void reported.push(fields) } as never,
    state: {
      ...dependencies.state,
      documents: dependencies.state.documents,
      expiring: {
        setIfAbsent: async () => rounds.push(now) > 0,
        delete: async () => undefined,
      } as never,
    },
  });
  while ((await signed(cut.id)) === null) await new Promise(setImmediate);
  expect(await signed(grown.id)).toMatchObject({ size: 300, root: rootAt(rows, 300) });
  // The end of one ledger is cut off; the next rounds find it.
  await warehouse.command(
    `ALTER TABLE ledger DELETE WHERE customerId = '${cut.id}' AND \`index\` > 290 SETTINGS mutations_sync = 2`,
  );
  for (let round = 0; round < 3; round += 1) {
    now += 300_000;
    const seen = rounds.length;
    while (rounds.length < seen + 1) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await job.stop();
  expect(reported).toEqual([
    { err: expect.objectContaining({ name: 'LedgerRolledBack' }), customerId: cut.id },
  ]);
  // A round that just ended does not start again.
  expect(rounds.filter((at) => at === rounds[0]).length).toBe(1);
}, 60_000);

test('the checkpointer rests forty-nine times as long as a check took', async () => {
  let clockMs = 0;
  let checks = 0;
  let asked = 0;
  const job = startCheckpointer({
    ...world.harness.dependencies,
    // Another round is always due.
    now: () => clockMs * 300_000,
    clock: () => {
      asked += 1;
      return clockMs;
    },
    everyMs: 1,
    logger: { warn() {}, error() {} } as never,
    state: { expiring: { setIfAbsent: async () => true, delete: async () => undefined } } as never,
    warehouse: {
      query: async () => {
        checks += 1;
        clockMs += 100;
        return [];
      },
    } as never,
  });
  const asksAgain = async (): Promise<void> => {
    const seen = asked;
    while (asked < seen + 5) await new Promise(setImmediate);
  };
  await asksAgain();
  clockMs = 100 + 49 * 100 - 1;
  await asksAgain();
  expect(checks).toBe(1);
  clockMs += 1;
  await asksAgain();
  expect(checks).toBe(2);
  await job.stop();
});
