import type { Client } from '../../cli/command/client.ts';
import { countSignals, readAllSignals } from '../../cli/demo/signals.ts';
import { eventually } from './eventually.ts';

export interface Verification {
  readonly valid: boolean;
  readonly status: string;
  readonly treeSize: number;
  readonly checkedEntries: number;
  readonly errors: readonly unknown[];
}

export interface StoredSignal {
  readonly auditId: string;
  readonly index: number;
  readonly hash: string;
}

export const verifyChain = async (client: Client): Promise<Verification> =>
  (await client.request('GET', '/evidence/hash-chain/verify')).body.data as unknown as Verification;

export const allSignals = async (client: Client): Promise<StoredSignal[]> =>
  (await readAllSignals(client)) as unknown as StoredSignal[];

/** Number of concurrent queries for audits, and the sample size for audits with a signal. */
const IN_FLIGHT = 16;
const SAMPLE = 300;
/** Longer than a retry's delay plus a flush: if no new signal arrives for this long, none is in flight. */
const SETTLED_MS = 6_000;
const POLL_EVERY_MS = 250;

/** Resolves when there are as many signals as audits, or no more arrive. */
async function asManySignals(client: Client, audits: number, withinMs: number): Promise<void> {
  let before: number | null = null;
  let since = performance.now();
  await eventually('as many signals as audits, or no more of them coming', withinMs, async () => {
    const last = before;
    // A failed request does not count as a quiet period.
    before = null;
    const count = await countSignals(client);
    if (count >= audits) return true;
    if (count !== last) since = performance.now();
    else if (performance.now() - since >= SETTLED_MS) return true;
    before = count;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    return undefined;
  });
}

/**
 * Final statuses of the audits: of every audit without a signal, and of a sample of those with one. Audits that are not
 * queried are returned as `SIGNAL`.
 */
export async function finalStatuses(
  client: Client,
  auditIds: ReadonlySet<string>,
  withinMs: number,
): Promise<Map<string, string>> {
  await asManySignals(client, auditIds.size, withinMs);
  const stored = new Set((await allSignals(client)).map(({ auditId }) => auditId));
  const statuses = new Map([...stored].map((auditId) => [auditId, 'SIGNAL']));
  const step = Math.max(1, Math.floor(stored.size / SAMPLE));
  const open = new Set(
    [...auditIds].filter((auditId, number) => !stored.has(auditId) || number % step === 0),
  );
  await eventually('every audit is final', withinMs, async () => {
    const readStatus = async (auditId: string): Promise<void> => {
      const audit = await client.request('GET', `/audits/${auditId}?wait=5`);
      const status = String(audit.body.status);
      if (status !== 'COMPLETED' && status !== 'FAILED') return;
      statuses.set(auditId, status);
      open.delete(auditId);
    };
    await Promise.all([...open].slice(0, IN_FLIGHT).map(readStatus));
    return open.size === 0 ? true : undefined;
  });
  return statuses;
}

/** Checks the end state from outside: every audit once, every index once, chain and reconciliation intact. */
export async function expectWhole(client: Client, auditIds: ReadonlySet<string>): Promise<Verification> {
  const signals = await allSignals(client);
  const stored = new Map(signals.map((signal) => [signal.auditId, signal]));
  const missing = [...auditIds].filter((auditId) => !stored.has(auditId));
  const unknown = signals.filter((signal) => !auditIds.has(signal.auditId));
  if (missing.length > 0)
    throw new Error(`${missing.length} accepted audits have no signal, e.g. ${missing[0]}`);
  if (unknown.length > 0)
    throw new Error(`${unknown.length} signals belong to no accepted audit, e.g. ${unknown[0]?.auditId}`);
  if (stored.size !== signals.length) throw new Error('an audit has two signals');
  if (new Set(signals.map((signal) => signal.index)).size !== signals.length)
    throw new Error('an index occurs twice');
  const verification = await verifyChain(client);
  if (!verification.valid)
    throw new Error(`the chain is ${verification.status}: ${JSON.stringify(verification.errors)}`);
  await expectReconciliation(client);
  return verification;
}

const COUNTED_WITHIN_MS = 30_000;

/** Checks that the service itself reports nothing missing once nothing is in flight. */
async function expectReconciliation(client: Client): Promise<void> {
  const reconciliation = await eventually('everything accepted is counted', COUNTED_WITHIN_MS, async () => {
    const { body } = await client.request('GET', '/dashboard/books');
    return (body.freshness as unknown as { complete: boolean }).complete ? body : undefined;
  });
  if (reconciliation.balanced !== true)
    throw new Error(`the reconciliation does not balance: ${JSON.stringify(reconciliation)}`);
}

const FINAL_WITHIN_MS = 180_000;

/** Checks that every accepted audit (by its idempotency key) is distinct and has its signal, and none is FAILED. */
export async function expectNothingLost(
  client: Client,
  accepted: ReadonlyMap<string, string>,
): Promise<Verification> {
  const auditIds = new Set(accepted.values());
  if (auditIds.size !== accepted.size) throw new Error('two requests were accepted as one audit');
  const statuses = await finalStatuses(client, auditIds, FINAL_WITHIN_MS);
  const failed = [...statuses].filter(([, status]) => status === 'FAILED');
  if (failed.length > 0)
    throw new Error(`${failed.length} audits were dead-lettered by the outage, e.g. ${failed[0]?.[0]}`);
  return expectWhole(client, auditIds);
}
