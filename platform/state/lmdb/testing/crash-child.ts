import { writeSync } from 'node:fs';
import { CUSTOMER, idempotencyKey, NOON, reserveRequest, seedCustomer } from '../../testing/contract-seed.ts';
import { openEmbeddedState } from '../state.ts';

/**
 * Writer of the crash test: `node crash-child.js <file>` makes concurrent calls on the state and prints a line for each
 * answered call until it is killed. Exits when its parent is gone.
 */
const [file = ''] = process.argv.slice(2);
const state = await openEmbeddedState({ path: file, now: () => NOON });
await seedCustomer(state);
const round = `${Date.now()}-${process.pid}`;
process.stdin.on('end', () => process.exit(0)).resume();

/** Written synchronously: output still in a buffer at the kill was never acknowledged. */
const acknowledge = (kind: string, id: string): void => {
  writeSync(1, `${kind} ${id}\n`);
};

async function work(worker: number): Promise<never> {
  for (let step = 0; ; step += 1) {
    const id = `${round}-${worker}-${step}`;
    const entries = [{ entryId: `E:${id}`, topic: 't', key: CUSTOMER, valueBase64: '', headers: {} }];
    await state.documents.write(CUSTOMER, [
      { collection: 'docs', id, expectedVersion: 0, value: { id }, entries },
    ]);
    acknowledge('document', id);
    await state.admission.reserve(reserveRequest([id]));
    acknowledge('reserved', id);
    const early = await state.admission.reserve(reserveRequest([`${id}-early`], { early: true }));
    if (early.kind === 'begun') await early.durable;
    acknowledge('reserved', `${id}-early`);
    await state.admission.reserve(reserveRequest([`${id}-keyed`], { idempotency: idempotencyKey(id) }));
    acknowledge('keyed', id);
    await state.expiring.set(id, id, 3_600_000);
    acknowledge('expiring', id);
  }
}

/** Rewrites the file repeatedly, so that the kill can hit any moment of a rewrite. */
async function scrubOn(): Promise<never> {
  for (;;) await state.scrub(new AbortController().signal);
}

void scrubOn();
await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)));
