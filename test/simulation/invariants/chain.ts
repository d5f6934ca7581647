import { isDeepStrictEqual } from 'node:util';
import { createVerifier } from '#core/evidence/verify/verify.ts';
import { groupBy } from '#schemas/group-by.ts';
import type { LedgerRow } from '#schemas/tables/tables.ts';
import type { World } from '../world-of-run.ts';

/**
 * Each entry id has one index, no index or offset occurs twice, there is no gap, and the chain verifies. Rows with the
 * same key and version are identical, because the winner would be random.
 */
export function chainFaults({ store }: World): string[] {
  const faults: string[] = [];
  try {
    store.final();
  } catch (error) {
    faults.push((error as Error).message);
  }
  for (const [customerId, rows] of groupBy(store.rows.ledger, (row) => row.customerId))
    faults.push(...faultsOf(customerId, rows), ...verify(store, customerId, rows));
  return faults;
}

function faultsOf(customerId: string, rows: readonly LedgerRow[]): string[] {
  const faults: string[] = [];
  const unique = (what: string, keyOf: (row: LedgerRow) => string): void => {
    const seen = new Map<string, LedgerRow>();
    for (const row of rows) {
      const known = seen.get(keyOf(row));
      if (known === undefined) seen.set(keyOf(row), row);
      else if (!isDeepStrictEqual(known, row)) {
        const positions = [known, row].map(({ index, offset }) => `index ${index} at offset ${offset}`);
        faults.push(`${customerId}: ${what} ${keyOf(row)} is at ${positions.join(' and ')}`);
      }
    }
  };
  unique('index', ({ index }) => String(index));
  unique('entry', ({ entryId }) => entryId);
  unique('position', ({ epoch, partition, offset }) => `${epoch}/${partition}/${offset}`);
  const indexes = new Set(rows.map(({ index }) => index));
  for (let index = 0; index < indexes.size; index += 1) {
    if (!indexes.has(index)) faults.push(`${customerId}: index ${index} is missing`);
  }
  return faults;
}

function verify(store: World['store'], customerId: string, rows: readonly LedgerRow[]): string[] {
  const own = <Row extends { customerId: string; index: number }>(all: readonly Row[]): Row[] =>
    all.filter((row) => row.customerId === customerId).sort((one, other) => one.index - other.index);
  const chunk = { ledger: own(rows), signals: own(store.rows.signals), entries: own(store.rows.entries) };
  const verifier = createVerifier({ customerId });
  const isErasure = ({ kind }: { kind: string }): boolean => kind === 'ERASURE';
  verifier.erasures(chunk.ledger.filter(isErasure), chunk.entries.filter(isErasure));
  verifier.chunk(chunk);
  const found = verifier.finish();
  return found.valid ? [] : [`${customerId}: the chain is INVALID at ${JSON.stringify(found.brokenAt)}`];
}
