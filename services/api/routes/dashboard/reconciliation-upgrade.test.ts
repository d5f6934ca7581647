import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { AUDITS } from '#schemas/tables/tables.ts';
import { ALL_MIGRATIONS, startRealWarehouse } from '../../testing/real-warehouse.ts';
import { type ReconciliationWorld, startReconciliationWorld } from '../../testing/reconciliation-world.ts';

let before: string;
let world: ReconciliationWorld;

/** The tables as they were before acceptances were kept, but with today's columns, because the sink is today's. */
beforeAll(async () => {
  before = await mkdtemp(path.join(os.tmpdir(), 'migrations-'));
  const names = (await readdir(ALL_MIGRATIONS)).sort();
  const place = names.findIndex((name) => name.includes('acceptances'));
  for (const name of names.slice(0, place))
    await copyFile(path.join(ALL_MIGRATIONS, name), path.join(before, name));
  const real = await startRealWarehouse(before);
  for (const name of names.slice(place + 1)) {
    const text = await readFile(path.join(ALL_MIGRATIONS, name), 'utf8');
    for (const column of text.match(/^ALTER TABLE .* ADD COLUMN .*(?=;)/gm) ?? [])
      await real.warehouse.command(column.replace(/\$\{ON_CLUSTER\}/, ''));
  }
  world = await startReconciliationWorld({ real });
  await world.newCustomer();
}, 60_000);
afterAll(async () => {
  await world.close();
  await rm(before, { recursive: true });
});

test('a history from before the upgrade balances, and so does what processes of both releases do beside each other', async () => {
  const { harness, customer, real } = world;
  // The previous release counted nothing.
  const forget = () => harness.state.admission.removeAdmittedCount(customer.id);
  for (let n = 0; n < 3; n += 1) await world.ingest(n, `before ${n}`);
  await world.analyse();
  await world.ingest(3, 'number 3');
  await world.fold();
  await forget();
  await migrate(real.warehouse, ALL_MIGRATIONS);
  const history = { accepted: 4, stored: 3, inFlight: 1, completed: 3, ledgerSignals: 3, difference: 0 };
  const uncounted = { admitted: 0, since: null, missing: 0, unacknowledged: 0, balanced: true };
  expect(await world.reconciliation()).toMatchObject({ ...history, ...uncounted });

  // An API of the previous release answers; whichever sink stores it, the acceptance is kept.
  await world.ingest(4, 'number 4');
  await forget();
  await world.analyse();
  await world.fold();
  harness.skew += 120_000;
  await world.ingest(5, 'number 5');
  await world.fold();
  const counted = { admitted: 1, since: expect.any(String), missing: 0, unacknowledged: 0, balanced: true };
  expect(await world.reconciliation()).toMatchObject({
    ...counted,
    accepted: 6,
    stored: 5,
    inFlight: 1,
    completed: 5,
  });

  // What was there before the upgrade is compared too from now on.
  // Merged first: of an audit whose rows are not merged yet, an earlier one would show again.
  await real.warehouse.command(`OPTIMIZE TABLE ${AUDITS.name} FINAL`);
  await world.deleteRows(AUDITS.name, `customerId = '${customer.id}' AND status = 'COMPLETED'`);
  expect(await world.reconciliation()).toMatchObject({ accepted: 6, difference: 5, balanced: false });
});
