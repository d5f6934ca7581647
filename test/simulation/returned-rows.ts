import { createVerifier } from '#core/evidence/verify/verify.ts';
import { requestBlanking } from '#records/retention/returned-content.ts';
import { COMPLETED_RANK, ERASED_RANK } from '#schemas/tables/audit-ranks.ts';
import type { AuditRow, EntryRow, LedgerRow, SignalRow } from '#schemas/tables/tables.ts';
import { ledgerOf } from './dependencies/newest-rows.ts';
import { foldedErasures } from './erased.ts';
import { closedCustomers } from './invariants/confirmed.ts';
import type { World } from './world-of-run.ts';

/** Above every index of a ledger. */
const ABOVE = 1_000_000;
const POLL_EVERY_MS = 1_000;
const POLLS = 120;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs last: deletes blank rows of erased content, or hides them below their first rows. Every verification must report
 * it until sinks have blanked the content again; then the same data as before is served, and the ledger is VALID.
 */
export async function returnedRowsFaults(world: World): Promise<string[]> {
  const { store, state } = world;
  const before = served(world);
  const end = endsOf(store.rows.ledger);
  // The scrub of a customer's erasure deletes first rows meanwhile, so without blank rows nothing would be left.
  const closed = await closedCustomers(world);
  const customers = new Set(store.rows.ledger.map(({ customerId }) => customerId));
  const tampered = [...customers].filter((id) => !closed.has(id) && bringBack(world, id));
  const faults: string[] = [];
  for (const customerId of tampered) {
    const { brokenAt } = verified(world, customerId);
    if (brokenAt?.reason !== 'NOT_ERASED')
      faults.push(
        `${customerId}: erased content is stored again, and its verification says ${JSON.stringify(brokenAt)}`,
      );
    await requestBlanking(state.state.documents, customerId, [0, ABOVE]);
    world.note('warehouse', `erased content of ${customerId} is stored again`);
  }
  const broken = (): string[] =>
    tampered.filter((customerId) => verified(world, customerId).status !== 'VALID');
  for (let poll = 0; poll < POLLS && broken().length > 0; poll += 1) await wait(POLL_EVERY_MS);
  for (const customerId of broken()) faults.push(`${customerId}: erased content was not blanked again`);
  if (differs(before, served(world), end))
    faults.push('the served data differs after erased content was blanked again');
  return faults;
}

type ServedRow = SignalRow | EntryRow | Omit<AuditRow, 'version'>;

/** Rows that no longer change. An audit of the customer with failing texts may still wait for its last attempt. */
function served({ store }: World): ServedRow[] {
  const { signals, entries, audits } = store.final();
  return [...signals, ...entries, ...audits.filter(({ status }) => status !== 'PROCESSING')];
}

/** Partition of the ledger -> its last offset. */
function endsOf(ledger: readonly LedgerRow[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  for (const { partition, offset } of ledger)
    ends.set(partition, Math.max(offset, ends.get(partition) ?? -1));
  return ends;
}

/** Columns that identify the ERASURE of a blank row. */
const VERSION_COLUMNS: ReadonlySet<string> = new Set(['revision', 'version', 'epoch', 'partition', 'offset']);
const contentOf = (row: ServedRow): string =>
  JSON.stringify(row, (name, value) => (VERSION_COLUMNS.has(name) ? undefined : value));

/**
 * Whether a row is missing or different. A blank row may belong to an ERASURE after `ends`: a retention run may find
 * the returned content before a sink does, and erases it again.
 */
function differs(
  before: readonly ServedRow[],
  after: readonly ServedRow[],
  ends: ReadonlyMap<number, number>,
): boolean {
  const same = new Set(after.map((row) => JSON.stringify(row)));
  const erasedAgain = new Set(
    after
      .filter(({ erased, partition, offset }) => erased && offset > (ends.get(partition) ?? -1))
      .map(contentOf),
  );
  return before.some(
    (row) => !same.has(JSON.stringify(row)) && !(row.erased && erasedAgain.has(contentOf(row))),
  );
}

/** Brings back the customer's erased content; returns whether there was any. */
function bringBack({ store }: World, customerId: string): boolean {
  const erasures = foldedErasures(store, customerId);
  const indexes = new Set(erasures.flatMap((erasure) => erasure.indexes));
  const ids = new Set<string>();
  let count = 0;
  const { rows } = store;
  const returned = <Row extends { customerId: string; index: number; revision: number; erased: string }>(
    all: readonly Row[],
  ): Row[] => {
    const firsts = all.filter(
      (row) =>
        row.customerId === customerId && indexes.has(row.index) && row.revision === 0 && row.erased === '',
    );
    let left = [...all];
    for (const first of firsts) {
      const isBlank = (row: Row): boolean =>
        row.customerId === customerId && row.index === first.index && row.revision > 0;
      if (!left.some(isBlank)) continue;
      count += 1;
      if ('auditId' in first) ids.add(String(first.auditId));
      if (first.index % 2 === 0) left = left.filter((row) => !isBlank(row));
      else left.push({ ...first, revision: ABOVE });
    }
    return left;
  };
  rows.signals = returned(rows.signals);
  rows.entries = returned(rows.entries.filter(({ kind }) => kind !== 'ERASURE')).concat(
    rows.entries.filter(({ kind }) => kind === 'ERASURE'),
  );
  const completed = new Set(
    rows.audits.filter(({ rank }) => rank === COMPLETED_RANK).map(({ auditId }) => auditId),
  );
  rows.audits = rows.audits.filter(
    ({ auditId, rank }) => !(ids.has(auditId) && completed.has(auditId) && rank >= ERASED_RANK),
  );
  return count > 0;
}

function verified({ store }: World, customerId: string) {
  const own = <Row extends { customerId: string; index: number }>(all: readonly Row[]): Row[] =>
    all.filter((row) => row.customerId === customerId).sort((one, other) => one.index - other.index);
  const ledger = ledgerOf(store, customerId);
  const entries = own(store.rows.entries);
  const verifier = createVerifier({ customerId });
  verifier.erasures(ledger, entries);
  const listed = new Set(verifier.erasedAudits(ledger));
  const servedAudits = new Set(
    store.final().audits.flatMap(({ auditId, erased }) => (listed.has(auditId) && !erased ? [auditId] : [])),
  );
  verifier.chunk({ ledger, signals: own(store.rows.signals), entries, servedAudits });
  return verifier.finish();
}
