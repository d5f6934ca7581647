import { contradiction } from '#core/evidence/checkpoint/check-proof.ts';
import { parseCheckpoint } from '#core/evidence/checkpoint/checkpoint.ts';
import { parseNote } from '#core/evidence/checkpoint/signed-note.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import { internalHeaders } from '../../testing/harness.ts';
import { signalChain, storeChain, storeLedgerPosition } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

let world: StoredWorld;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());

const read = (note: string) => parseCheckpoint(parseNote(note)!.text)!;

describe('accepting that a ledger was rolled back', () => {
  test('records the lost note in the ledger, and signs again with a new epoch', async () => {
    const { harness, real } = world;
    const { id, headers } = await harness.customer();
    const get = async (path: string) => harness.call({ url: `/evidence/hash-chain/${path}`, headers });
    const accept = (reason = 'the backup of Tuesday') =>
      harness.call({
        method: 'POST',
        url: `/internal/customers/${id}/rollbacks`,
        headers: internalHeaders,
        payload: { reason },
      });
    await storeChain(world, id, signalChain(id, 300));
    await growTree(real.warehouse, id, 300);
    const lost = (await get('checkpoint')).body.data.note;
    const early = await accept();
    expect([early.status, early.body.code]).toEqual([409, 'LEDGER_NOT_ROLLED_BACK']);

    // The warehouse is restored with forty entries fewer, and another entry replaces the first of them.
    for (const table of ['ledger', 'signals'])
      await real.warehouse.command(
        `ALTER TABLE ${table} DELETE WHERE customerId = '${id}' AND \`index\` >= 260 SETTINGS mutations_sync = 2`,
      );
    await real.warehouse.command('TRUNCATE TABLE positions');
    await storeLedgerPosition(world, id, 260);
    expect((await get('checkpoint')).body.code).toBe('LEDGER_ROLLED_BACK');
    const accepted = await accept();
    expect([accepted.status, accepted.body.data]).toEqual([
      200,
      { customerId: id, epoch: 1, lostSize: 300, lostCheckpoint: lost, entryId: 'EVIDENCE_EVENT:rollback:1' },
    ]);
    await harness.settled();
    // After the record of the customer's key.
    const appended = harness.log.records.filter(({ key }) => key === id);
    expect(appended).toHaveLength(2);

    const after = (await get('checkpoint')).body.data.note;
    expect(read(after)).toMatchObject({ size: 260, epoch: 1 });
    expect((await get('verify')).body.data).toMatchObject({ status: 'VALID', checkpoint: after });
    // The lost note still proves the rollback.
    expect(contradiction(read(lost), read(after))).toContain('ROLLBACK');
    expect((await accept()).body.code).toBe('LEDGER_NOT_ROLLED_BACK');
    // The ledger grows past the lost size: now only the lost note proves the rollback.
    await storeChain(world, id, signalChain(id, 320, 260), 260);
    await growTree(real.warehouse, id, 320);
    const grown = read((await get('checkpoint')).body.data.note);
    expect(grown).toMatchObject({ size: 320, epoch: 1 });
    expect(contradiction(read(lost), grown)).toContain('epoch 0 before, 1 now');
    expect(contradiction(read(after), grown)).toBeNull();
  }, 60_000);

  test('is refused for an unknown customer or an intact ledger', async () => {
    const { harness } = world;
    const { id } = await harness.customer();
    for (const [customer, status] of [
      [id, 409],
      ['01993d5a-7c00-7000-8000-0000000000ff', 404],
    ] as const) {
      const answer = await harness.call({
        method: 'POST',
        url: `/internal/customers/${customer}/rollbacks`,
        headers: internalHeaders,
        payload: { reason: 'none' },
      });
      expect(answer.status).toBe(status);
    }
  });
});
