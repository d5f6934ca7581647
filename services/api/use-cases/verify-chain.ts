import { setImmediate as turn } from 'node:timers/promises';
import { type ChainVerifier, createVerifier, type VerifyOptions } from '../../../core/evidence/verify.ts';
import { partitionOf } from '../../../platform/event-log/murmur2.ts';
import type { EventLog } from '../../../platform/event-log/port.ts';
import type { Warehouse } from '../../../platform/warehouse/port.ts';
import { warehouseEpoch } from '../../../platform/warehouse/queries/epochs.ts';
import {
  entryRows,
  erasureRows,
  ledgerHead,
  ledgerRows,
  signalRows,
} from '../../../platform/warehouse/queries/ledger.ts';
import { storedPositions } from '../../../platform/warehouse/queries/positions.ts';
import { NOT_COVERED, type Verification } from '../../../schemas/api/hash-chain.ts';
import { LEDGER } from '../../../schemas/topics.ts';
import { unavailable } from '../errors.ts';
import type { Turns } from '../turns.ts';

export interface VerifyParts {
  readonly warehouse: Warehouse;
  readonly log: Pick<EventLog, 'bounds'>;
  readonly turns: { readonly chunk: Turns };
  readonly now: () => number;
}

/** Entries per chunk: what is hashed in one go holds up every other request. */
const CHUNK_ENTRIES = 1_000;

/**
 * Re-derives the customer's whole chain from stored rows, up to the head that is stored when it begins. The order of
 * reads matters, because the sink goes on meanwhile: its position before the ledger, the ledger before the content
 * (the sink stores them the other way round), and the end of the log last. Rows that were cut off the end, or all computed
 * anew, are what no reading of the tables can show; the answer says so (`notCovered`) until a signed checkpoint can.
 */
export async function verifyChain(
  parts: VerifyParts,
  customerId: string,
  gone: AbortSignal,
): Promise<Verification> {
  const startedAt = performance.now();
  const options: MutableOptions = { customerId };
  const folded = await foldedPosition(parts, customerId);
  if (folded !== null) options.foldedBelow = folded;
  const verifier = createVerifier(options);
  const head = await ledgerHead(parts.warehouse, customerId);
  await readErasures(parts.warehouse, customerId, verifier);
  await readChunks(parts, customerId, head ?? -1, verifier, gone);
  // An erasure may have been folded after they were read: it stands in the ledger before any row is blanked.
  if (verifier.unexplained() > 0) await readErasures(parts.warehouse, customerId, verifier);
  // Looked at by `finish`: only now is it known to lie above every record that stands behind a row.
  const end = await logEnd(parts, customerId);
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
    lastFullVerificationAt: new Date(parts.now()).toISOString(),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

type MutableOptions = { -readonly [Name in keyof VerifyOptions]: VerifyOptions[Name] };
type LogPosition = NonNullable<VerifyOptions['foldedBelow']>;

const partitionOfCustomer = (customerId: string): number => partitionOf(customerId, LEDGER.partitions);

/** Everything of the customer's partition below this position is stored. */
async function foldedPosition(parts: VerifyParts, customerId: string): Promise<LogPosition | null> {
  const positions = await storedPositions(parts.warehouse, LEDGER.name);
  const found = positions.find(({ partition }) => partition === partitionOfCustomer(customerId));
  return found === undefined ? null : { epoch: found.epoch, offset: found.nextOffset };
}

/** No record of the customer stands at or above this position. */
async function logEnd(parts: VerifyParts, customerId: string): Promise<LogPosition | null> {
  const current = await warehouseEpoch(parts.warehouse);
  if (current === null) return null;
  const { end } = await parts.log.bounds(LEDGER.name, partitionOfCustomer(customerId));
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
  { warehouse, turns }: VerifyParts,
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
    await turns.chunk.during(customerId, { gone }, async () => {
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
