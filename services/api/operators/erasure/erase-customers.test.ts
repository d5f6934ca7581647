import { expect, test } from '#jest';
import { openKeyring } from '#platform/sealing/keyring.ts';
import { Contended } from '#platform/state/change-document.ts';
import { CUSTOMERS, type Documents } from '#platform/state/port.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { OPEN_ERASURES } from '#records/erasure/erasure-record.ts';
import { advanceErasure, erasureProgress, openErasures, requestErasure } from '#records/erasure/erasures.ts';
import { startHarness } from '../../testing/harness.ts';
import { startEraser } from './erase-customers.ts';

test('an erasure that loses every write to others continues in a later round', async () => {
  const harness = await startHarness();
  const { documents } = harness.state;
  let isContended = true;
  let ended: () => void = () => undefined;
  const hasEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const write: Documents['write'] = async (scope, writes, claims) => {
    const lost = writes.find(({ collection }) => collection === CUSTOMERS);
    if (isContended && lost !== undefined) return { ok: false, conflict: lost };
    const outcome = await documents.write(scope, writes, claims);
    if (writes.some(({ collection }) => collection === OPEN_ERASURES)) ended();
    return outcome;
  };
  const customer = await harness.customer();
  const makeEntry = entryMaker(harness.dependencies);
  const { announce, now } = harness.dependencies;
  const at = new Date(now()).toISOString();
  await requestErasure({ documents, makeEntry, announce }, { customerId: customer.id, id: 'erasure', at });
  const stored = (await erasureProgress(documents, customer.id))!;
  await advanceErasure(documents, customer.id, stored, { phase: 'CLEANING', destroyedAt: at });
  harness.skew += 60_000;
  const failures: unknown[] = [];
  const eraser = startEraser({
    ...harness.dependencies,
    documents: Object.create(documents, { write: { value: write } }),
    makeEntry,
    keyring: openKeyring({ state: harness.state, masterKey: Buffer.alloc(32) }),
    probe: () => undefined,
    intervalMs: 1,
    maxPauseMs: 1,
    logger: {
      ...harness.dependencies.logger,
      warn: ({ err }: { readonly err: unknown }) => {
        failures.push(err);
        isContended = false;
      },
    } as typeof harness.dependencies.logger,
  });
  await hasEnded;
  await eraser.stop();
  expect(failures).toEqual([expect.any(Contended)]);
  expect(await openErasures(documents)).toEqual([]);
  await harness.close();
});
