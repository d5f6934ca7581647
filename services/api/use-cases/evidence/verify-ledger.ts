import { setImmediate as turn } from 'node:timers/promises';
import {
  type ChainVerification,
  type ChainVerifier,
  createVerifier,
  type SignedTree,
  type VerifyOptions,
} from '#core/evidence/verify.ts';
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
import { LEDGER } from '#schemas/topics.ts';
import type { CustomerSemaphore } from '../../customer-semaphore.ts';
import { unavailable } from '../../errors.ts';
import { foldedPosition, partitionOfCustomer } from './tree/folded.ts';

export interface LedgerDependencies {
  readonly warehouse: Warehouse;
  readonly log: Pick<EventLog, 'bounds'>;
  readonly costly: { readonly chunk: CustomerSemaphore };
}

/** Entries per chunk: hashing a chunk blocks every other request. */
const CHUNK_ENTRIES = 1_000;

/**
 * Re-derives the customer's whole chain from stored rows, up to the head that is stored when it begins. The order of
 * reads matters, because the sink keeps writing meanwhile: its position before the ledger, the ledger before the
 * content (the sink stores them the other way round), and the end of the log last. `signed`: the last checkpoint, read
 * before all of them.
 */
export async function verifyLedger(
  dependencies: LedgerDependencies,
  customerId: string,
  signed: SignedTree | null,
  gone: AbortSignal,
): Promise<ChainVerification> {
  const options: MutableOptions = { customerId };
  if (signed !== null) options.signed = signed;
  const folded = await foldedPosition(dependencies.warehouse, customerId);
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
  return verifier.finish();
}

type MutableOptions = { -readonly [Name in keyof VerifyOptions]: VerifyOptions[Name] };
type LogPosition = NonNullable<VerifyOptions['foldedBelow']>;

/** No record of the customer is at or above this position. */
async function logEnd(dependencies: LedgerDependencies, customerId: string): Promise<LogPosition | null> {
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
  { warehouse, costly }: LedgerDependencies,
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
