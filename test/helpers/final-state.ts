import type { Client } from '../../cli/client.ts';
import { readAllSignals } from '../../cli/demo/report.ts';
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
  (await client.call('GET', '/evidence/hash-chain/verify')).body.data as unknown as Verification;

export const allSignals = async (client: Client): Promise<StoredSignal[]> =>
  (await readAllSignals(client)) as unknown as StoredSignal[];

/** Audits that are asked for at a time. */
const IN_FLIGHT = 16;

/** Status of every audit, once all are final. */
export async function finalStatuses(
  client: Client,
  auditIds: Iterable<string>,
  withinMs: number,
): Promise<Map<string, string>> {
  const statuses = new Map<string, string>();
  const open = new Set(auditIds);
  await eventually('every audit is final', withinMs, async () => {
    const look = async (auditId: string): Promise<void> => {
      const audit = await client.call('GET', `/audits/${auditId}?wait=5`);
      const status = String(audit.body.status);
      if (status !== 'COMPLETED' && status !== 'FAILED') return;
      statuses.set(auditId, status);
      open.delete(auditId);
    };
    await Promise.all([...open].slice(0, IN_FLIGHT).map(look));
    return open.size === 0 ? true : undefined;
  });
  return statuses;
}

/** What must be true at the end, seen from outside: every audit once, every index once, the chain whole. */
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
    throw new Error('an index stands twice');
  const verification = await verifyChain(client);
  if (!verification.valid)
    throw new Error(`the chain is ${verification.status}: ${JSON.stringify(verification.errors)}`);
  return verification;
}
