import { expect } from '#jest';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { sandboxVersionId } from '#records/documents/sandbox-record.ts';
import { eventually } from '../../helpers/eventually.ts';
import { expectWhole, finalStatuses, type Verification } from '../../helpers/final-state.ts';
import { auditsOf, inspectStores, stateFile, tablesWith, wrappedKeys } from '../../helpers/inspect-stores.ts';
import type { TestService } from '../../helpers/service.ts';
import { leave, MARK } from './leaving-customers.ts';
import { callersOf } from './requests.ts';
import { answersOf, replayAll, revocationOf, SLUG, type Work } from './work.ts';

const FINAL_WITHIN_MS = 240_000;
const SENT_AT_ONCE = 8;
/** The customer's first key, from the set-up. Its sandbox is counted with the rules. */
const SET_UP_KEYS = 1;

const idsOf = (answers: readonly Readonly<Record<string, unknown>>[], field: string): Set<string> => {
  const ids = new Set(answers.map((answer) => String(answer[field])));
  expect(ids.size).toBe(answers.length);
  return ids;
};

/** Repeats every unanswered request until it is answered, so that all results are known. */
export async function answerAll(work: Work, service: TestService): Promise<void> {
  const callers = callersOf(service, work.customerKey);
  const { requests } = work;
  await eventually('every request is answered', FINAL_WITHIN_MS, async () => {
    await mapConcurrent([...requests.unanswered.values()], SENT_AT_ONCE, (request) =>
      requests.send(callers, request),
    );
    for (const { id } of answersOf(work, 'newKey')) {
      const revocation = revocationOf(work, String(id));
      if (!requests.answered.has(revocation.name)) await requests.send(callers, revocation);
    }
    for (const one of work.leaving) if (!one.isErasureAsked) await leave(one, callers, service.url);
    const staying = work.leaving.flatMap((one) =>
      one.isErasureAsked ? [] : [`${one.name} is still to leave`, one.requests.whyUnanswered()],
    );
    if (requests.unanswered.size + staying.length > 0)
      throw new Error([requests.whyUnanswered(), ...staying].join('\n'));
    return true;
  });
}

/** Ingested audits and platform signals. */
export const auditIdsOf = (work: Work): Set<string> =>
  idsOf(
    ['ingest', 'failing', 'signal'].flatMap((kind) => answersOf(work, kind as 'ingest')),
    'auditId',
  );

/** Checks that every audit is COMPLETED, failed ones by a replay, and stored once; returns the sandbox's version. */
export async function expectAllFinal(
  work: Work,
  service: TestService,
): Promise<{ verification: Verification; sandboxId: string; version: number }> {
  const callers = callersOf(service, work.customerKey);
  const { customer } = callers;
  const auditIds = auditIdsOf(work);
  const failing = idsOf(answersOf(work, 'failing'), 'auditId');
  await eventually('what failed was replayed and has its signal', FINAL_WITHIN_MS, async () => {
    await replayAll(work, callers);
    for (const auditId of failing) {
      const { status } = (await customer.request('GET', `/audits/${auditId}`)).body;
      if (String(status) !== 'COMPLETED') return undefined;
    }
    return true;
  });
  const statuses = await finalStatuses(customer, auditIds, FINAL_WITHIN_MS);
  expect([...statuses].filter(([, status]) => status === 'FAILED')).toEqual([]);
  expect((await customer.request('GET', '/dead-letters')).body.data).toEqual([]);
  const verification = await expectWhole(customer, auditIds);
  expect(verification.checkedEntries).toBe(verification.treeSize);
  const sandbox = (await customer.request('GET', `/sandboxes/${SLUG}`)).body.data as unknown as {
    id: string;
    version: number;
  };
  return { verification, sandboxId: sandbox.id, version: sandbox.version };
}

/** Checks that nothing of each erased customer is served and its erasure is complete. */
export async function expectErased(work: Work, service: TestService): Promise<void> {
  const { internal } = callersOf(service, work.customerKey);
  for (const { id } of work.leaving) {
    await eventually(`the erasure of ${id} is complete`, FINAL_WITHIN_MS, async () => {
      const { erasure, name } = (await internal.request('GET', `/internal/customers/${id}`)).body
        .data as unknown as { erasure?: { status: string }; name: string };
      expect(name).toBe('');
      return erasure?.status === 'COMPLETED' ? true : undefined;
    });
  }
}

/** Checks after a stop that the stores hold exactly what was created, and nothing of erased customers. */
export async function expectStored(
  work: Work,
  dataDir: string,
  { sandboxId, version, treeSize }: { sandboxId: string; version: number; treeSize: number },
): Promise<void> {
  const changes = answersOf(work, 'rules');
  // Each change is a separate version, and none is missing: version 1 was the creation.
  expect(idsOf(changes, 'version').size + 1).toBe(version);
  const keys = [...idsOf(answersOf(work, 'newKey'), 'id')];
  const made = {
    SIGNAL: [...auditIdsOf(work)],
    POLICY_EVENT: Array.from(
      { length: version },
      (_, before) => `sandbox:${sandboxVersionId(sandboxId, before + 1)}`,
    ),
    KEY_EVENT: keys.flatMap((id) => [`${id}:1`, `${id}:2`]),
  };
  await inspectStores(dataDir, async ({ warehouse, verify }) => {
    const { customerId } = work;
    const entries = await warehouse.query<{ kind: string; id: string }>(
      'SELECT kind, id FROM ledger FINAL WHERE customerId = {customerId:String}',
      { customerId },
    );
    const idsIn = (kind: string): string[] =>
      entries.flatMap((entry) => (entry.kind === kind ? [entry.id] : [])).sort();
    expect(entries).toHaveLength(treeSize);
    expect(idsIn('SIGNAL')).toEqual(made.SIGNAL.sort());
    expect(idsIn('POLICY_EVENT')).toEqual(made.POLICY_EVENT.sort());
    expect(idsIn('KEY_EVENT')).toEqual(expect.arrayContaining(made.KEY_EVENT));
    expect(idsIn('KEY_EVENT')).toHaveLength(made.KEY_EVENT.length + SET_UP_KEYS);
    const counted = Object.values(made).reduce((sum, ids) => sum + ids.length, SET_UP_KEYS);
    expect(treeSize).toBe(counted);

    for (const { id, auditIds } of work.leaving) {
      const found = await verify(id!);
      expect([id, found.status, found.errors]).toEqual([id, 'VALID', []]);
      const audits = await auditsOf(warehouse, id!);
      expect(new Set(audits.map(({ auditId }) => auditId))).toEqual(auditIds);
      expect(audits.filter(({ erased }) => !erased)).toEqual([]);
    }
    expect(await tablesWith(warehouse, MARK)).toEqual([]);
  });
  expect(stateFile(dataDir).includes(MARK)).toBe(false);
  // The keys of the remaining customers.
  expect(wrappedKeys(dataDir).size).toBe(2);
}
