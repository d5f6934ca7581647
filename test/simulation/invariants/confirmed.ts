import type { ApiKeyRecord, CustomerRecord, SandboxRecord } from '../../../platform/directory/records.ts';
import { SANDBOX_VERSIONS, sandboxVersionId } from '../../../platform/directory/records.ts';
import { API_KEYS, CUSTOMERS } from '../../../platform/state/port.ts';
import type { EntryRow } from '../../../schemas/tables/tables.ts';
import type { World } from '../world.ts';
import { isBlocked } from './final-states.ts';

const RULES = ['guardianAction', 'alertThreshold', 'active'] as const;

/**
 * What a client was told is in the state and in the ledger, and both say the same. After an older state was restored
 * they may differ, but somebody must have been told.
 */
export async function confirmedFaults(world: World): Promise<string[]> {
  const { promised, state, store, log, blocked } = world;
  const faults: string[] = [];
  const erased = await erasedCustomers(world);
  const skips = (customerId: string): boolean => erased.has(customerId);
  const entries = new Map<string, EntryRow>();
  for (const row of store.rows.entries) entries.set(`${row.customerId} ${row.kind}:${row.id}`, row);
  const { documents } = state.state;

  for (const { customerId, record } of promised.sandboxes) {
    if (skips(customerId)) continue;
    const id = sandboxVersionId(record.id, record.version);
    const stored = await documents.get<SandboxRecord>({
      scope: customerId,
      collection: SANDBOX_VERSIONS,
      id,
    });
    if (stored === null || RULES.some((rule) => stored.value[rule] !== record[rule]))
      faults.push(`sandbox version ${id} was confirmed, and the state has ${told(stored?.value)}`);
    if (isBlocked(log, blocked, customerId)) continue;
    const entry = entries.get(`${customerId} POLICY_EVENT:sandbox:${id}`);
    const core = JSON.parse(entry?.core ?? 'null') as SandboxRecord | null;
    if (core === null || RULES.some((rule) => core[rule] !== record[rule]))
      faults.push(`sandbox version ${id} was confirmed, and the ledger has ${told(core)}`);
  }
  for (const row of entries.values()) {
    if (row.kind !== 'POLICY_EVENT' || skips(row.customerId)) continue;
    const id = row.id.replace(/^sandbox:/, '');
    const stored = await documents.get<SandboxRecord>({
      scope: row.customerId,
      collection: SANDBOX_VERSIONS,
      id,
    });
    const core = JSON.parse(row.core ?? 'null') as SandboxRecord | null;
    // Blank: the customer was closed before it was folded, by an erasure that a fail-over has undone in the state.
    if (core === null) continue;
    if (stored === null || RULES.some((rule) => stored.value[rule] !== core[rule]))
      faults.push(
        `the ledger says that sandbox version ${id} has ${told(core)}, the state ${told(stored?.value)}`,
      );
  }
  for (const { customerId, keyId } of [...promised.keys, ...promised.revoked]) {
    if (skips(customerId)) continue;
    const isRevoked = promised.revoked.some((one) => one.keyId === keyId);
    const key = await documents.get<ApiKeyRecord>({ scope: customerId, collection: API_KEYS, id: keyId });
    if (key === null) faults.push(`key ${keyId} was confirmed and is not in the state`);
    else if (isRevoked && key.value.status !== 'revoked') faults.push(`key ${keyId} was revoked and works`);
    if (isBlocked(log, blocked, customerId)) continue;
    const version = isRevoked ? 2 : 1;
    if (!entries.has(`${customerId} KEY_EVENT:${keyId}:${version}`))
      faults.push(`version ${version} of key ${keyId} was confirmed and is not in the ledger`);
  }
  for (const id of promised.customers) {
    if ((await documents.get({ scope: id, collection: CUSTOMERS, id })) === null)
      faults.push(`customer ${id} was confirmed and is not in the state`);
  }
  const wereTold = world.supervisor.red.length > 0 || world.logged.some((line) => line.startsWith('error'));
  return world.restored && wereTold ? [] : faults;
}

/** Customers of whom an erasure was begun, whether or not somebody was told so. */
async function erasedCustomers({ state, promised }: World): Promise<Set<string>> {
  const erased = new Set<string>();
  for (const id of promised.customers) {
    const ref = { scope: id, collection: CUSTOMERS, id };
    const record = await state.state.documents.get<CustomerRecord>(ref);
    if (record?.value.erasure !== undefined) erased.add(id);
  }
  return erased;
}

const told = (record: Pick<SandboxRecord, (typeof RULES)[number]> | null | undefined): string =>
  record === null || record === undefined ? 'nothing' : RULES.map((rule) => record[rule]).join('/');
