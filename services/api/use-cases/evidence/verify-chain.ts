import { setImmediate as turn } from 'node:timers/promises';
import { type ChainVerifier, createVerifier, type VerifyOptions } from '#core/evidence/verify.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { warehouseEpoch } from '#platform/warehouse/queries/epochs.ts';
import {
  entryRows,
  erasureRows,
  ledgerHead,
  ledgerRows,
  signalRows,
} from '#platform/warehouse/queries/ledger.ts';
import { storedPositions } from '#platform/warehouse/queries/positions.ts';
import { NOT_COVERED, type Verification } from '#schemas/api/hash-chain.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { CustomerSemaphore } from '../../customer-semaphore.ts';
import { unavailable } from '../../errors.ts';

export interface VerifyDependencies {
  readonly warehouse: Warehouse;
  readonly log: Pick<EventLog, 'bounds'>;
  readonly costly: { readonly chunk: CustomerSemaphore };
  readonly now: () => number;
}

/** Entries per chunk: hashing a chunk blocks every other request. */
const CHUNK_ENTRIES = 1_000;

/**
 * Re-derives the customer's whole chain from stored rows, up to the head that is stored when it begins. The order of
 * reads matters, because the sink keeps writing meanwhile: its position before the ledger, the ledger before the
 * content (the sink stores them the other way round), and the end of the log last. That rows were cut off the end, or
 * all were computed anew, cannot be seen in the tables; the answer says so (`notCovered`) until signed checkpoints
 * exist.
 */
export async function verifyChain(
  dependencies: VerifyDependencies,
  customerId: string,
  gone: AbortSignal,
): Promise<Verification> {
  const startedAt = performance.now();
  const options: MutableOptions = { customerId };
  const folded = await foldedPosition(dependencies, customerId);
  if (folded !== null) options.foldedBelow = folded;
  const verifier = createVerifier(options);
  const head = await ledgerHead(dependencies.warehouse, customerId);
  await readErasures(dependencies.warehouse, customerId, verifier);
  await readChunks(dependencies, customerId, head ?? -1, verifier, gone);
  // An erasure may have been folded after they were read: it is in the ledger before any row is blanked.
  if (verifier.unexplained() > 0) await readErasures(dependencies.warehouse, customerId, verifier);
  // Checked by `finish`: only now is it known to be above every record that a row came from.
  const end = await logEnd(dependencies, customerId);
  if (end !== null) options.logEnd = end;
  const found = verifier.finish();
  return {
    ...found,
    mode: 'full',
    errors: [...found.errors],
    notCovered: [...NOT_COVERED],
    rootHash: null,
    coverage: 1,
    checkpoint: null,
    lastFullVerificationAt: new Date(dependencies.now()).toISOString(),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

type MutableOptions = { -readonly [Name in keyof VerifyOptions]: VerifyOptions[Name] };
type LogPosition = NonNullable<VerifyOptions['foldedBelow']>;

const partitionOfCustomer = (customerId: string): number => partitionOf(customerId, LEDGER.partitions);

/** Everything of the customer's partition below this position is stored. */
async function foldedPosition(
  dependencies: VerifyDependencies,
  customerId: string,
): Promise<LogPosition | null> {
  const positions = await storedPositions(dependencies.warehouse, LEDGER.name);
  const found = positions.find(({ partition }) => partition === partitionOfCustomer(customerId));
  return found === undefined ? null : { epoch: found.epoch, offset: found.nextOffset };
}

/** No record of the customer is at or above this position. */
async function logEnd(dependencies: VerifyDependencies, customerId: string): Promise<LogPosition | null> {
  const current = await warehouseEpoch(dependencies.warehouse);
  if (current === null) return null;
  const { end } = await dependencies.log.bounds(LEDGER.name, partitionOfCustomer(customerId));
  return { epoch: current.epoch, offset: end };
}

async function readErasures(
  warehouse: Warehouse,
  customerId: string,
  verifier: ChainVerifier,
): Promise<void> {
  const { ledger, entries } = await erasureRows(warehouse, customerId);
  verifier.erasures(ledger, entries);
}

async function readChunks(
  { warehouse, costly }: VerifyDependencies,
  customerId: string,
  head: number,
  verifier: ChainVerifier,
  gone: AbortSignal,
): Promise<void> {
  for (let from = 0, isLast = false; !isLast; from += CHUNK_ENTRIES) {
    if (gone.aborted) throw unavailable(new Error('the verification was given up'));
    isLast = from + CHUNK_ENTRIES > head;
    const upTo = isLast ? head : from + CHUNK_ENTRIES - 1;
    const range = { from, to: isLast ? null : upTo };
    await costly.chunk.during(customerId, { gone }, async () => {
      const ledger = head < 0 ? [] : await ledgerRows(warehouse, customerId, { from, to: upTo });
      const [signals, entries] = await Promise.all([
        signalRows(warehouse, customerId, range),
        entryRows(warehouse, customerId, range),
      ]);
      verifier.chunk({ ledger, signals, entries });
      await turn();
    });
  }
}
