import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { openDirectory } from '#records/directory.ts';
import { LEGAL_HOLDS } from '#records/retention/legal-holds.ts';
import { RETENTION_RUNS, RUN_EVERY_MS } from '#records/retention/retention-run.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import { LEDGER } from '#schemas/topics.ts';
import { type Answered, internalHeaders } from '../../testing/harness.ts';
import { type ReconciliationWorld, startReconciliationWorld } from '../../testing/reconciliation-world.ts';
import { storedRunText, storeRunNaming } from '../../testing/stored-run.ts';
import { type RetentionStepDependencies, retentionStep } from './retention-steps.ts';

const DAY_MS = 86_400_000;

let world: ReconciliationWorld;
beforeAll(async () => {
  world = await startReconciliationWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  world.harness.skew = 0;
  await world.fold();
  await world.newCustomer();
});

const send = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object): Promise<Answered> =>
  world.harness.call({
    method,
    url,
    headers: world.customer.headers,
    ...(payload ? { payload } : {}),
  });
const policy = async (change: object): Promise<string> =>
  (await send('POST', '/evidence/retention/policies', { name: 'A policy', ...change })).body.data.id;
const status = async () => (await send('GET', '/evidence/retention/status')).body.data;
const signals = async (): Promise<string[]> =>
  (await send('GET', '/dashboard/signals?limit=100')).body.data.map(
    ({ auditId }: { auditId: string }) => auditId,
  );

/** Ids of signals reported by the platform, each made this many days ago. */
async function aged(days: readonly number[], sandboxSlug = 'support-chat'): Promise<string[]> {
  const now = world.harness.dependencies.now();
  const made = await Promise.all(
    days.map((ago) =>
      world.harness.call({
        method: 'POST',
        url: '/internal/signal',
        headers: internalHeaders,
        payload: {
          customerId: world.customer.id,
          sandboxSlug,
          provider: 'openai',
          model: 'gpt-5',
          riskLevel: 'LOW',
          reasoning: 'Nothing was found.',
          createdAt: new Date(now - ago * DAY_MS).toISOString(),
        },
      }),
    ),
  );
  await world.fold();
  return made.map(({ body }) => body.auditId);
}

function steps(change: Partial<RetentionStepDependencies> = {}): RetentionStepDependencies {
  const { dependencies } = world.harness;
  const makeEntry = entryMaker(dependencies);
  const { documents, admission } = dependencies.state;
  const directory = openDirectory({ ...dependencies, documents, admission, makeEntry });
  return { ...dependencies, makeEntry, directory, ...change };
}

/** Takes the whole run, with the sink after every step. */
async function run(change: Partial<RetentionStepDependencies> = {}): Promise<number> {
  for (let count = 1; count < 60; count += 1) {
    const outcome = await retentionStep(steps(change), world.customer.id, null);
    await world.fold();
    if (typeof outcome === 'object') return count;
  }
  throw new Error('the run does not end');
}

const drafts = async (): Promise<LedgerDraft[]> => {
  await world.harness.settled();
  return world.harness.log
    .of(LEDGER.name)
    .filter(({ key }) => key === world.customer.id)
    .map(({ value }) => world.harness.dependencies.codec.decodeLedgerEntry(value) as unknown as LedgerDraft);
};
const erasures = async () =>
  (await drafts()).filter(({ kind }) => kind === 'ERASURE').map(({ core }) => JSON.parse(core));

describe('a retention run', () => {
  test('erases expired signals, months apart, in one entry with ranges, and the chain verifies', async () => {
    const old = await aged([2_400, 2_000, 1_500, 1_000, 800, 366]);
    const young = await aged([364, 1]);
    await policy({ retentionDays: 365 });
    expect(await status()).toMatchObject({ totalSignals: 8, policies: [{ eligible: 6, overdue: 5 }] });
    await run();
    expect((await signals()).sort()).toEqual([...young].sort());
    for (const id of old) expect((await send('GET', `/audits/${id}`)).body.erased).toBe(true);
    const [entry, ...more] = await erasures();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ scope: 'ALL', reason: 'RETENTION', kinds: ['SIGNAL'] });
    const named = entry.ranges.reduce((sum: number, [from, to]: number[]) => sum + to! - from! + 1, 0);
    expect([named, entry.ranges.length < 6]).toEqual([6, true]);
    const after = await status();
    expect(after).toMatchObject({
      totalSignals: 2,
      erasedTotal: 6,
      policies: [{ eligible: 0, overdue: 0 }],
      lastRun: { erased: 6, anonymized: 0, held: 0 },
    });
    expect(Date.parse(after.policies[0].nextRunAt) - Date.parse(after.lastRun.startedAt)).toBe(RUN_EVERY_MS);
    expect((await drafts()).at(-1)).toMatchObject({ kind: 'EVIDENCE_EVENT' });
    const verified = (await send('GET', '/evidence/hash-chain/verify')).body.data;
    expect(verified).toMatchObject({ status: 'VALID', erasedSignals: 6 });
    expect(await world.reconciliation()).toMatchObject({ balanced: true, erased: 6 });
  });

  test('removes signals from the patterns of earlier runs, in the state too', async () => {
    const [gone] = await aged([400]);
    const left = await aged([3, 2]);
    await storeRunNaming(world.harness, world.customer.id, [gone!, ...left]);
    await policy({ retentionDays: 365 });
    await run();
    const text = await storedRunText(world.harness, world.customer.id);
    expect([gone!, ...left].map((one) => text.includes(one))).toEqual([false, true, true]);
  });

  test('anonymizes if that policy wins, and only once', async () => {
    const [id] = await aged([400]);
    await policy({ retentionDays: 365, action: 'DELETE' });
    await policy({ retentionDays: 365, action: 'ANONYMIZE' });
    await run();
    const signal = (await send('GET', `/dashboard/signals/${id}`)).body;
    expect(signal).toMatchObject({ anonymized: true, reasoning: null, detections: [] });
    world.harness.skew = RUN_EVERY_MS;
    await run();
    expect(await erasures()).toHaveLength(1);
    expect(await status()).toMatchObject({ lastRun: { erased: 0, anonymized: 0 } });
  });

  test('keeps signals for a longer policy if any version of their sandbox named its framework', async () => {
    await send('POST', '/sandboxes', {
      name: 'Cards',
      slug: 'cards',
      sandboxType: 'FULL_SPECTRUM',
      regulations: ['PCI_DSS'],
    });
    await send('PATCH', '/sandboxes/cards', { regulations: [] });
    const [kept] = await aged([400], 'cards');
    await aged([400]);
    await policy({ retentionDays: 30 });
    await policy({ retentionDays: 730, framework: 'PCI_DSS' });
    await run();
    expect(await signals()).toEqual([kept]);
  });

  test('spares signals under a hold or an open incident until that has ended', async () => {
    await send('POST', '/sandboxes', { name: 'Other', slug: 'other', sandboxType: 'FULL_SPECTRUM' });
    const [held] = await aged([400], 'other');
    const [disputed, free] = await aged([401, 402]);
    const incident = await send('POST', '/evidence/incidents', { signalId: disputed });
    await policy({ retentionDays: 30 });
    const hold = await policy({ retentionDays: 1, legalHold: true, sandboxSlug: 'other' });
    await run();
    expect((await signals()).sort()).toEqual([held, disputed].sort());
    expect(await signals()).not.toContain(free);
    expect(await status()).toMatchObject({ legalHolds: 1, lastRun: { erased: 1, held: 1 } });
    await send('PATCH', `/evidence/retention/policies/${hold}`, { legalHold: false, active: false });
    await send('PATCH', `/evidence/incidents/${incident.body.data.id}/status`, {
      status: 'DISMISSED',
      userId: 'ann',
      userRole: 'DPO',
    });
    world.harness.skew = RUN_EVERY_MS;
    await run();
    expect(await signals()).toEqual([]);
  });

  test('chooses again if a hold is created between its choice and its write', async () => {
    const [id] = await aged([400]);
    await policy({ retentionDays: 30 });
    const { documents } = world.harness.unsealedState;
    const { write } = documents;
    documents.write = async (scope, writes, claims) => {
      if (
        writes.some((one) => one.collection === LEGAL_HOLDS && one.unchanged === true && writes[0]?.entries)
      ) {
        documents.write = write;
        await policy({ retentionDays: 1, legalHold: true });
      }
      return write(scope, writes, claims);
    };
    await run();
    expect(documents.write).toBe(write);
    expect(await signals()).toEqual([id]);
    expect(await erasures()).toEqual([]);
  });

  test('chooses again if an incident is opened between its choice and its write', async () => {
    const [disputed, free] = await aged([400, 401]);
    await policy({ retentionDays: 30 });
    const { documents } = world.harness.unsealedState;
    const { write } = documents;
    documents.write = async (scope, writes, claims) => {
      if (writes.some(({ collection, entries }) => collection === RETENTION_RUNS && entries !== undefined)) {
        documents.write = write;
        await send('POST', '/evidence/incidents', { signalId: disputed! });
      }
      return write(scope, writes, claims);
    };
    await run();
    expect(documents.write).toBe(write);
    expect(await signals()).toEqual([disputed]);
    expect(await signals()).not.toContain(free);
    expect(await status()).toMatchObject({ lastRun: { erased: 1, held: 1 } });
  });

  test('is continued by another process if it dies after a batch or before its entry is in the log', async () => {
    await aged([400, 401]);
    await policy({ retentionDays: 30 });
    const dying = steps({
      announce: () => undefined,
      probe: (point) => {
        if (point === 'api.retention-noted') throw new Error('the process dies here');
      },
    });
    await retentionStep(dying, world.customer.id, null);
    await expect(retentionStep(dying, world.customer.id, null)).rejects.toThrow('the process dies here');
    // None of it is in the log yet: the next process waits for it, and chooses nothing twice.
    expect(await retentionStep(steps(), world.customer.id, null)).toBe('waits');
    world.harness.dependencies.announce({
      scope: world.customer.id,
      collection: RETENTION_RUNS,
      id: world.customer.id,
    });
    await world.harness.settled();
    await world.fold();
    await run();
    expect(await signals()).toEqual([]);
    expect(await erasures()).toHaveLength(1);
    expect(await status()).toMatchObject({ lastRun: { erased: 2 } });
  });

  test('makes one batch for two concurrent processes', async () => {
    await aged([400, 401]);
    await policy({ retentionDays: 30 });
    await retentionStep(steps(), world.customer.id, null);
    await Promise.all([1, 2, 3].map(() => retentionStep(steps(), world.customer.id, null)));
    await world.harness.settled();
    await world.fold();
    await run();
    expect(await erasures()).toHaveLength(1);
    expect(await status()).toMatchObject({ lastRun: { erased: 2 } });
  });
});

describe('a retention run starts', () => {
  test('once a day, and on request', async () => {
    await policy({ retentionDays: 30 });
    await run();
    const first = (await status()).lastRun;
    expect(await retentionStep(steps(), world.customer.id, null)).toEqual({
      nextAt: Date.parse(first.startedAt) + RUN_EVERY_MS,
    });
    world.harness.skew = 5_000;
    const asked = await world.harness.call({
      method: 'POST',
      url: '/internal/retention/run',
      headers: internalHeaders,
    });
    expect([asked.status, asked.body.data.customers > 0]).toEqual([202, true]);
    const { requestedAt } = asked.body.data;
    expect(await retentionStep(steps(), world.customer.id, requestedAt)).toBe('done');
    await run();
    const { lastRun } = await status();
    expect(lastRun.id).not.toBe(first.id);
    expect(await retentionStep(steps(), world.customer.id, requestedAt)).toHaveProperty('nextAt');
  });

  test('once for a request from a clock that is ahead, and again for the next one', async () => {
    await policy({ retentionDays: 30 });
    const runsFor = async (requestedAt: string): Promise<number> => {
      for (let count = 0; count < 20; count += 1) {
        const outcome = await retentionStep(steps(), world.customer.id, requestedAt);
        await world.fold();
        if (typeof outcome === 'object')
          return (await drafts()).filter(({ kind }) => kind === 'EVIDENCE_EVENT').length;
      }
      throw new Error('runs follow each other without an end');
    };
    const ahead = (ms: number): string => new Date(world.harness.dependencies.now() + ms).toISOString();
    const request = ahead(3_600_000);
    expect(await runsFor(request)).toBe(1);
    expect(await runsFor(request)).toBe(1);
    // With a clock that was set back since.
    expect(await runsFor(ahead(-3_600_000))).toBe(2);
  });

  test('never without a policy that erases, nor for a customer that is being erased', async () => {
    expect(await retentionStep(steps(), world.customer.id, null)).toHaveProperty('nextAt');
    await policy({ retentionDays: 30, legalHold: true });
    expect(await retentionStep(steps(), world.customer.id, '2999-01-01T00:00:00.000Z')).toHaveProperty(
      'nextAt',
    );
    expect((await status()).lastRun).toBeNull();
    expect((await erasures()).length).toBe(0);
  });
});
