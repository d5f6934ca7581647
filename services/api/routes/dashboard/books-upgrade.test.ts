import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../../../platform/warehouse/migrations.ts';
import { AUDITS } from '../../../../schemas/tables/tables.ts';
import { type BooksWorld, startBooksWorld } from '../../testing/books-world.ts';
import { ALL_MIGRATIONS, startRealWarehouse } from '../../testing/real-warehouse.ts';

let before: string;
let world: BooksWorld;

/** The tables as they were before acceptances were kept. */
beforeAll(async () => {
  before = await mkdtemp(path.join(os.tmpdir(), 'migrations-'));
  for (const name of (await readdir(ALL_MIGRATIONS)).sort()) {
    if (name.includes('acceptances')) break;
    await copyFile(path.join(ALL_MIGRATIONS, name), path.join(before, name));
  }
  world = await startBooksWorld({ real: await startRealWarehouse(before) });
  await world.newCustomer();
}, 60_000);
afterAll(async () => {
  await world.close();
  await rm(before, { recursive: true });
});

test('a history from before the upgrade balances, and so does what processes of both releases do beside each other', async () => {
  const { harness, customer, real } = world;
  // The release before counted nothing.
  const forget = () => harness.state.admission.removeAdmittedCount(customer.id);
  for (let n = 0; n < 3; n += 1) await world.ingest(n, `before ${n}`);
  await world.analyse();
  await world.ingest(3, 'number 3');
  await world.fold();
  await forget();
  await migrate(real.warehouse, ALL_MIGRATIONS);
  const history = { accepted: 4, stored: 3, inFlight: 1, completed: 3, ledgerSignals: 3, difference: 0 };
  const uncounted = { admitted: 0, since: null, missing: 0, unacknowledged: 0, balanced: true };
  expect(await world.books()).toMatchObject({ ...history, ...uncounted });

  // An API of the release before answers; whichever sink stores it, the acceptance is kept.
  await world.ingest(4, 'number 4');
  await forget();
  await world.analyse();
  await world.fold();
  harness.skew += 120_000;
  await world.ingest(5, 'number 5');
  await world.fold();
  const counted = { admitted: 1, since: expect.any(String), missing: 0, unacknowledged: 0, balanced: true };
  expect(await world.books()).toMatchObject({
    ...counted,
    accepted: 6,
    stored: 5,
    inFlight: 1,
    completed: 5,
  });

  // What was there before is compared too from now on.
  await world.deleteRows(AUDITS.name, `customerId = '${customer.id}' AND status = 'COMPLETED'`);
  expect(await world.books()).toMatchObject({ accepted: 6, difference: 5, balanced: false });
});
