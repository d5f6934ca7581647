import type { ApiKeyRecord, CustomerRecord, SandboxRecord } from '../../../platform/directory/records.ts';
import { SANDBOX_VERSIONS, sandboxVersionId } from '../../../platform/directory/records.ts';
import { API_KEYS, CUSTOMERS } from '../../../platform/state/port.ts';
import type { EntryRow } from '../../../schemas/tables/tables.ts';
import type { World } from '../world.ts';
import { isBlocked } from './final-states.ts';

const RULES = ['guardianAction', 'alertThreshold', 'active'] as const;
type Rules = Pick<SandboxRecord, (typeof RULES)[number]>;

/**
 * What a client was told is in the state and in the ledger, and both say the same. When an older state was restored,
 * what was confirmed before may be gone from it; but where state and ledger differ, somebody must have been told.
 */
export async function confirmedFaults(world: World): Promise<string[]> {
  const erased = await erasedCustomers(world);
  const entries = new Map<string, EntryRow>();
  for (const row of world.store.rows.entries) {
    if (!erased.has(row.customerId)) entries.set(`${row.customerId} ${row.kind}:${row.id}`, row);
  }
  const wereTold = world.logged.some((line) => line.startsWith('error'));
  return [
    ...(await missingInState(world, erased)),
    ...(world.restoredAt !== null && wereTold
      ? []
      : [...missingInLedger(world, erased, entries), ...(await differing(world, entries))]),
  ];
}

async function missingInState(
  { promised, state, restoredAt }: World,
  erased: Set<string>,
): Promise<string[]> {
  const { documents } = state.state;
  const faults: string[] = [];
  const stands = ({ customerId, atMs }: { customerId: string; atMs: number }): boolean =>
    !erased.has(customerId) && (restoredAt === null || atMs > restoredAt);
  for (const { customerId } of promised.customers.filter(stands)) {
    if ((await documents.get({ scope: customerId, collection: CUSTOMERS, id: customerId })) === null)
      faults.push(`customer ${customerId} was confirmed and is not in the state`);
  }
  for (const { customerId, record } of promised.sandboxes.filter(stands)) {
    const stored = await versionOf(state, customerId, record.id, record.version);
    if (isOther(stored, record))
      faults.push(`sandbox version ${record.version} was confirmed, and the state has ${told(stored)}`);
  }
  for (const { customerId, keyId } of [...promised.keys, ...promised.revoked].filter(stands)) {
    const key = await documents.get<ApiKeyRecord>({ scope: customerId, collection: API_KEYS, id: keyId });
    const isRevoked = promised.revoked.some((one) => one.keyId === keyId && stands(one));
    if (key === null) faults.push(`key ${keyId} was confirmed and is not in the state`);
    else if (isRevoked && key.value.status !== 'revoked') faults.push(`key ${keyId} was revoked and works`);
  }
  return faults;
}

function missingInLedger(
  { promised, log, blocked, restoredAt }: World,
  erased: Set<string>,
  entries: ReadonlyMap<string, EntryRow>,
): string[] {
  const faults: string[] = [];
  const stands = ({ customerId, atMs }: { customerId: string; atMs: number }): boolean =>
    !erased.has(customerId) &&
    !isBlocked(log, blocked, customerId) &&
    // What waited for the log when the older state took over is gone with its document.
    (restoredAt === null || atMs > restoredAt);
  for (const { customerId, record } of promised.sandboxes.filter(stands)) {
    const entry = entries.get(
      `${customerId} POLICY_EVENT:sandbox:${sandboxVersionId(record.id, record.version)}`,
    );
    const core = JSON.parse(entry?.core ?? 'null') as Rules | null;
    if (isOther(core, record))
      faults.push(`sandbox version ${record.version} was confirmed, and the ledger has ${told(core)}`);
  }
  const keys = [
    ...promised.keys.map((key) => ({ ...key, version: 1 })),
    ...promised.revoked.map((key) => ({ ...key, version: 2 })),
  ];
  for (const { customerId, keyId, version } of keys.filter(stands)) {
    if (!entries.has(`${customerId} KEY_EVENT:${keyId}:${version}`))
      faults.push(`version ${version} of key ${keyId} was confirmed and is not in the ledger`);
  }
  return faults;
}

/** Versions that the ledger tells of and the state does not have, or has with other rules. */
async function differing({ state }: World, entries: ReadonlyMap<string, EntryRow>): Promise<string[]> {
  const faults: string[] = [];
  for (const { customerId, kind, id, core: text } of entries.values()) {
    const core = JSON.parse(text ?? 'null') as (Rules & { sandboxId: string; version: number }) | null;
    if (kind !== 'POLICY_EVENT' || core === null) continue;
    const stored = await versionOf(state, customerId, core.sandboxId, core.version);
    if (isOther(stored, core))
      faults.push(`the ledger says that ${id} has ${told(core)}, the state ${told(stored)}`);
  }
  return faults;
}

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

/** Customers of whom an erasure was begun, whether or not somebody was told so. */
async function erasedCustomers({ state, promised }: World): Promise<Set<string>> {
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
const told = (rules: Rules | null): string =>
  rules === null ? 'nothing' : RULES.map((rule) => rules[rule]).join('/');
