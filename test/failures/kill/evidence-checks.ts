import { setTimeout } from 'node:timers/promises';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { verifyPackage } from '#core/evidence/package/verify-package.ts';
import { expect } from '#jest';
import { packagesInFolder } from '#platform/packages/folder.ts';
import type { Client } from '../../../cli/command/client.ts';
import { eventually } from '../../helpers/eventually.ts';
import { verifyChain } from '../../helpers/final-state.ts';
import type { Stored } from '../../helpers/inspect-stores.ts';
import type { TestService } from '../../helpers/service.ts';
import {
  answersOf,
  type EvidenceWork,
  eraseAll,
  packageOf,
  policyOf,
  signalOf,
  signalsOf,
  wantErasures,
} from './evidence-work.ts';
import { callersOf } from './requests.ts';

const SETTLED_WITHIN_MS = 120_000;
const PAGE = 100;
/** Longer than the run job's polling interval. */
const RUN_MS = 2_500;

/** Failure of a package that was started too often. */
const GIVEN_UP = 'Creating the package failed';

interface ShownPackage {
  readonly id: string;
  readonly status: string;
  readonly failure: string | null;
}
interface ShownIncident {
  readonly signalId: string;
  readonly description: string;
}

/** The customer's view at the end. */
export interface SettledEvidence {
  readonly incidents: readonly ShownIncident[];
  readonly keys: readonly string[];
}

async function listed<One>(customer: Client, path: string): Promise<One[]> {
  const all: One[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await customer.request('GET', `${path}?limit=${PAGE}&page=${page}`);
    all.push(...(body.data as unknown as One[]));
    if ((body.data as unknown as One[]).length < PAGE) return all;
  }
}

/**
 * Waits until every request has taken effect. Then a last policy is breached, which proves that all earlier entries
 * were compared, and a last package of the whole ledger is requested for verification.
 */
export async function settleEvidence(
  work: EvidenceWork,
  service: Pick<TestService, 'url' | 'internalSecret'>,
): Promise<SettledEvidence> {
  const callers = callersOf(service, work.customerKey);
  const { customer } = callers;
  const { requests, erasures } = work;
  const settled = <Value>(what: string, check: () => Promise<Value | undefined>): Promise<Value> =>
    eventually(what, SETTLED_WITHIN_MS, check);

  await settled('every request about evidence is answered', async () => {
    for (const request of [...requests.unanswered.values()]) await requests.send(callers, request);
    if (requests.unanswered.size > 0) throw new Error(requests.whyUnanswered());
    return true;
  });
  wantErasures(work);
  await settled('every erasure is decided', async () => {
    await eraseAll(work, callers);
    return [...erasures.values()].every(Boolean) ? true : undefined;
  });
  for (const id of erasures.keys())
    await settled(`the erasure of ${id} has its receipt`, async () => {
      const { body } = await customer.request('GET', `/evidence/retention/erasures/${id}`);
      return (body.data as unknown as { receipt: object | null }).receipt ?? undefined;
    });
  const policy = policyOf(work, 'policy-last');
  await settled('the last policy is made', async () => (await requests.send(callers, policy)) ?? undefined);
  const { id } = answersOf(work, policy.name.slice(0, 6)).at(-1) as { id: string };
  const incidents = await settled('the last policy is breached', async () => {
    await requests.send(callers, signalOf(work, 'watched'));
    const all = await listed<ShownIncident>(customer, '/evidence/incidents');
    return all.some(({ description }) => description.includes(id)) ? all : undefined;
  });
  // By now everything sent before is stored as well.
  await settled('expired signals are gone', async () => {
    // A run covers what was stored when it started.
    await callers.internal.request('POST', '/internal/retention/run');
    await setTimeout(RUN_MS);
    const left = await customer.request('GET', '/dashboard/signals?limit=1&sandboxSlug=old');
    return (left.body.pagination as unknown as { total: number }).total === 0 ? true : undefined;
  });
  const last = packageOf('package-last', 0);
  await settled(
    'the last package is asked for',
    async () => (await requests.send(callers, last)) ?? undefined,
  );
  await settled('no package is being made', async () => {
    const all = await listed<ShownPackage>(customer, '/evidence/packages');
    return all.every(({ status }) => status !== 'GENERATING') ? all : undefined;
  });
  expect(await verifyChain(customer)).toMatchObject({ status: 'VALID', errors: [] });
  const { body } = await customer.request('GET', '/evidence/hash-chain/keys');
  const keys = (body.data as unknown as { vkey: string }[]).map(({ vkey }) => vkey);
  return { incidents, keys };
}

interface Entry {
  readonly kind: string;
  readonly id: string;
  readonly index: number;
}

/** The ledger has each entry once, and the package folder only the files of READY packages. */
export async function expectEvidenceStored(
  work: EvidenceWork,
  folder: string,
  warehouse: Stored['warehouse'],
  { incidents, packages, keys }: SettledEvidence & { readonly packages: readonly ShownPackage[] },
): Promise<void> {
  const { customerId } = work;
  const entries = await warehouse.query<Entry>(
    'SELECT kind, id, `index` FROM ledger FINAL WHERE customerId = {customerId:String} ORDER BY `index`',
    { customerId },
  );
  const idsOf = (kind: string, prefix: string): string[] =>
    entries.flatMap((entry) =>
      entry.kind === kind && entry.id.startsWith(prefix) ? [entry.id.slice(prefix.length)] : [],
    );
  const made = (['watched', 'old', 'erased'] as const).flatMap((room) => [...signalsOf(work, room)]);
  expect(idsOf('SIGNAL', '').sort()).toEqual(made.sort());

  const signalIds = incidents.map(({ signalId }) => signalId);
  expect(signalIds.sort()).toEqual(breachesOf(work, entries).sort());
  expect(idsOf('INCIDENT_EVENT', '')).toHaveLength(incidents.length);

  expect(idsOf('ERASURE', 'signal:').sort()).toEqual([...work.erasures.keys()].sort());
  await expectRetained(work, entries, warehouse);

  const failed = packages.filter(({ status }) => !['READY', 'EXPIRED'].includes(status));
  // A package whose process is killed too often fails with this message.
  expect(failed.filter(({ failure }) => failure?.includes(GIVEN_UP) !== true)).toEqual([]);
  const asked = new Set(answersOf(work, 'package').map(({ id }) => String(id)));
  for (const { id } of failed) asked.delete(id);
  expect(idsOf('EVIDENCE_EVENT', 'package:').sort()).toEqual([...asked].sort());
  expect(packages.length).toBeGreaterThan(failed.length);
  await expectFiles(customerId, folder, packages, keys);
}

const filesIn = (folder: string) => packagesInFolder({ folder, leastFreeBytes: null });
const readyOf = (packages: readonly ShownPackage[]): string[] =>
  packages.flatMap(({ id, status }) => (status === 'READY' ? [id] : [])).sort();
const idOf = (name: string): string | undefined => name.split('.')[0];

/**
 * The folder contains only READY packages: the next start removes files of dead processes, and files with erased
 * content are removed within a minute. Resolves to the packages.
 */
export const expectSwept = (
  { customerId, customerKey }: EvidenceWork,
  folder: string,
  service: Pick<TestService, 'url' | 'internalSecret'>,
): Promise<readonly ShownPackage[]> =>
  eventually('files of dead processes are gone', SETTLED_WITHIN_MS, async () => {
    const { customer } = callersOf(service, customerKey);
    const packages = await listed<ShownPackage>(customer, '/evidence/packages');
    const files = filesIn(folder);
    expect((await files.customers()).filter((id) => id !== customerId)).toEqual([]);
    expect((await files.names(customerId)).map(idOf).sort()).toEqual(readyOf(packages));
    return packages;
  });

/**
 * The first signal that breaches each policy, derived from the ledger alone; a signal that breaches two policies has
 * one incident.
 */
function breachesOf(work: EvidenceWork, entries: readonly Entry[]): string[] {
  const watched = signalsOf(work, 'watched');
  const signals = entries.filter(({ kind, id }) => kind === 'SIGNAL' && watched.has(id));
  const first = answersOf(work, 'policy').map((policy) => {
    const [{ maxCount }] = policy.rules as [{ maxCount: number }];
    const since = entries.find(({ id }) => id === `policy:${policy.id}:1`)!.index;
    return signals.find(({ index }, before) => index > since && before + 1 > maxCount)!.id;
  });
  return [...new Set(first)];
}

/** The retention runs erased every expired signal once, and nothing else. */
async function expectRetained(
  work: EvidenceWork,
  entries: readonly Entry[],
  warehouse: Stored['warehouse'],
): Promise<void> {
  const old = signalsOf(work, 'old');
  const due = entries.filter(({ kind, id }) => kind === 'SIGNAL' && old.has(id)).map(({ index }) => index);
  const cores = await warehouse.query<{ core: string }>(
    "SELECT core FROM entries FINAL WHERE customerId = {customerId:String} AND kind = 'ERASURE' AND id LIKE 'retention:%'",
    { customerId: work.customerId },
  );
  const named = cores.flatMap(({ core }) =>
    (JSON.parse(core) as { ranges: [number, number][] }).ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, n) => from + n),
    ),
  );
  expect(named.sort((a, b) => a - b)).toEqual(due);
}

/** Every READY package is in the folder and verifies. */
async function expectFiles(
  customerId: string,
  folder: string,
  packages: readonly ShownPackage[],
  keys: readonly string[],
): Promise<void> {
  const files = filesIn(folder);
  const names = await files.names(customerId);
  expect(readyOf(packages)).not.toEqual([]);
  expect(names.map(idOf).sort()).toEqual(readyOf(packages));
  for (const name of names) {
    const opened = (await files.open({ customerId, name }))!;
    const { faults } = await verifyPackage(
      opened,
      keys.map((key) => parseVerifierKey(key)!),
    );
    await opened.close();
    expect([name, faults]).toEqual([name, []]);
  }
}
