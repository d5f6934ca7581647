import { API_KEYS, CUSTOMERS } from '#platform/state/port.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { ApiKeyRecord } from '#records/documents/api-key-record.ts';
import type { SandboxRecord } from '#records/documents/sandbox-record.ts';
import { SANDBOX_VERSIONS, sandboxVersionId } from '#records/documents/sandbox-record.ts';
import type { EntryRow } from '#schemas/tables/tables.ts';
import { LEDGER } from '#schemas/topics.ts';
import { stoppedRightly } from '../stopped-rightly.ts';
import type { World } from '../world-of-run.ts';
import { isBlocked } from './final-states.ts';

const RULES = ['guardianAction', 'alertThreshold', 'active'] as const;
type Rules = Pick<SandboxRecord, (typeof RULES)[number]>;

/**
 * Everything confirmed to a client is in the state and in the ledger, and both agree. After a restore of an older
 * state, earlier confirmations may be missing from it, but any difference between state and ledger must have been
 * reported.
 */
export async function confirmedFaults(world: World): Promise<string[]> {
  const erased = await erasedCustomers(world);
  const entries = new Map<string, EntryRow>();
  for (const row of world.store.rows.entries) {
    if (!erased.has(row.customerId)) entries.set(`${row.customerId} ${row.kind}:${row.id}`, row);
  }
  return [
    ...(await missingInState(world, erased)),
    ...missingInLedger(world, erased, entries),
    ...(await differing(world, entries)),
  ];
}

async function missingInState(
  { promised, state, restoredAt }: World,
  erased: Set<string>,
): Promise<string[]> {
  const { documents } = state.state;
  const faults: string[] = [];
  const mustHold = ({ customerId, atMs }: { customerId: string; atMs: number }): boolean =>
    !erased.has(customerId) && (restoredAt === null || atMs > restoredAt);
  for (const { customerId } of promised.customers.filter(mustHold)) {
    if ((await documents.get({ scope: customerId, collection: CUSTOMERS, id: customerId })) === null)
      faults.push(`customer ${customerId} was confirmed and is not in the state`);
  }
  for (const { customerId, record } of promised.sandboxes.filter(mustHold)) {
    const stored = await versionOf(state, customerId, record.id, record.version);
    if (isOther(stored, record))
      faults.push(`sandbox version ${record.version} was confirmed, and the state has ${described(stored)}`);
  }
  for (const { customerId, keyId } of [...promised.keys, ...promised.revoked].filter(mustHold)) {
    const key = await documents.get<ApiKeyRecord>({ scope: customerId, collection: API_KEYS, id: keyId });
    const isRevoked = promised.revoked.some((one) => one.keyId === keyId && mustHold(one));
    if (key === null) faults.push(`key ${keyId} was confirmed and is not in the state`);
    else if (isRevoked && key.value.status !== 'revoked') faults.push(`key ${keyId} was revoked and works`);
  }
  return faults;
}

function missingInLedger(
  world: World,
  erased: Set<string>,
  entries: ReadonlyMap<string, EntryRow>,
): string[] {
  const { promised, restoredAt, store } = world;
  const waits = whoseLedgerWaits(world);
  const faults: string[] = [];
  const mustHold = ({ customerId, atMs }: { customerId: string; atMs: number }): boolean =>
    !erased.has(customerId) &&
    !waits(customerId) &&
    // Entries that were in the outbox when the older state took over are lost with their document.
    (restoredAt === null || atMs > restoredAt);
  for (const { customerId, record } of promised.sandboxes.filter(mustHold)) {
    const entryId = `POLICY_EVENT:sandbox:${sandboxVersionId(record.id, record.version)}`;
    const entry = entries.get(`${customerId} ${entryId}`);
    const core = JSON.parse(entry?.core ?? 'null') as Rules | null;
    if (isOther(core, record) && !wasReported(store, customerId, entryId))
      faults.push(`sandbox version ${record.version} was confirmed, and the ledger has ${described(core)}`);
  }
  const keys = [
    ...promised.keys.map((key) => ({ ...key, version: 1 })),
    ...promised.revoked.map((key) => ({ ...key, version: 2 })),
  ];
  for (const { customerId, keyId, version } of keys.filter(mustHold)) {
    if (!entries.has(`${customerId} KEY_EVENT:${keyId}:${version}`))
      faults.push(`version ${version} of key ${keyId} was confirmed and is not in the ledger`);
  }
  return faults;
}

/**
 * Entries that the state lacks or contradicts. An operator may have accepted a document lost from the state; different
 * contents of one version must have been reported.
 */
async function differing(world: World, entries: ReadonlyMap<string, EntryRow>): Promise<string[]> {
  const { state, store, operator } = world;
  const waits = whoseLedgerWaits(world);
  const faults: string[] = [];
  const isGivenUp = (row: EntryRow, document: string, version: number): boolean =>
    operator.accepted.some(
      ({ sort, customerId, id, ledgerVersion }) =>
        sort.kind === row.kind &&
        customerId === row.customerId &&
        id === document &&
        version <= ledgerVersion,
    );
  for (const row of entries.values()) {
    const { customerId, kind, id } = row;
    const [first = '', second = ''] = id.split(':');
    if (kind === 'POLICY_EVENT' && first === 'sandbox') {
      const core = JSON.parse(row.core ?? 'null') as (Rules & { sandboxId: string; version: number }) | null;
      if (core === null) continue;
      const stored = await versionOf(state, customerId, core.sandboxId, core.version);
      const isExcused =
        stored === null
          ? isGivenUp(row, core.sandboxId, core.version)
          : // A contradicting entry may not be folded yet.
            waits(customerId) || wasReported(store, customerId, `POLICY_EVENT:${id}`);
      if (isOther(stored, core) && !isExcused)
        faults.push(`the ledger says that ${id} has ${described(core)}, the state ${described(stored)}`);
    }
    if (kind === 'KEY_EVENT') {
      const ref = { scope: customerId, collection: API_KEYS, id: first };
      const stored = await state.state.documents.get<ApiKeyRecord>(ref);
      if (stored === null && !isGivenUp(row, first, Number(second)))
        faults.push(`the ledger says that ${id} was made, the state nothing`);
      if (stored !== null && second === '2' && stored.value.status !== 'revoked')
        faults.push(`the ledger says that key ${id} was revoked, and it works`);
    }
    // Not checked for customers whose erasure the state knows.
    if (kind === 'ERASURE' && second === 'closing' && !isGivenUp(row, second, 1))
      faults.push(`the ledger says that ${customerId} was closed, the state nothing`);
  }
  return faults;
}

/** Customers whose ledger partition is stopped for a good reason. */
export function whoseLedgerWaits(world: World): (customerId: string) => boolean {
  const { log, blocked } = world;
  const stopped = stoppedRightly(world);
  return (customerId) =>
    isBlocked(log, blocked, customerId) ||
    stopped.has(`${LEDGER.name}/${log.partitionOf(LEDGER.name, customerId)}`);
}

/** Whether a contradiction was recorded, which readiness reports. */
const wasReported = ({ rows }: World['store'], customerId: string, entryId: string): boolean =>
  rows.contradictions.some((row) => row.customerId === customerId && row.entryId === entryId);

async function versionOf(
  state: World['state'],
  customerId: string,
  sandboxId: string,
  version: number,
): Promise<SandboxRecord | null> {
  const id = sandboxVersionId(sandboxId, version);
  const ref = { scope: customerId, collection: SANDBOX_VERSIONS, id };
  return (await state.state.documents.get<SandboxRecord>(ref))?.value ?? null;
}

/** Erased customers, and those whose closing entry is stored: an older state may have lost the customer entirely. */
export async function closedCustomers(world: World): Promise<Set<string>> {
  const closed = await erasedCustomers(world);
  for (const { customerId, kind, id } of world.store.rows.ledger)
    if (kind === 'ERASURE' && id.endsWith(':closing')) closed.add(customerId);
  return closed;
}

/** Customers whose erasure was started, even if no client received the answer. */
export async function erasedCustomers({ state, promised }: World): Promise<Set<string>> {
  const erased = new Set<string>();
  for (const { customerId: id } of promised.customers) {
    const ref = { scope: id, collection: CUSTOMERS, id };
    const record = await state.state.documents.get<CustomerRecord>(ref);
    if (record?.value.erasure !== undefined) erased.add(id);
  }
  return erased;
}

const isOther = (one: Rules | null, other: Rules): boolean =>
  one === null || RULES.some((rule) => one[rule] !== other[rule]);
const described = (rules: Rules | null): string =>
  rules === null ? 'nothing' : RULES.map((rule) => rules[rule]).join('/');
