import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { blanked, sampleCore, sampleDraft, storedRows, timeOf } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import { openIncidents } from '#records/incidents/incidents.ts';
import { ENTRIES, SIGNALS } from '#schemas/tables/tables.ts';
import { FRAMEWORKS, type Framework } from '#schemas/vocabulary.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import { makeAuditor } from '../../testing/auditors.ts';
import { storeChain } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

/** An auditor limited to frameworks and a period sees everything within those limits, and nothing outside. */

const SANDBOXES: Readonly<Record<string, readonly Framework[]>> = {
  'sandbox-0': [],
  'sandbox-1': ['GDPR'],
  'sandbox-2': ['GDPR', 'SOC2'],
  'sandbox-3': ['HIPAA'],
};
const NAMES = Object.keys(SANDBOXES);
const SIGNALS_STORED = 24;
const ENDS_AT = 60;

interface StoredSignal {
  readonly id: string;
  readonly sandbox: string;
  readonly at: string;
  readonly isErased: boolean;
}
interface StoredIncident {
  readonly id: string;
  readonly signal: StoredSignal;
  readonly at: string;
}

let world: StoredWorld;
const signals: StoredSignal[] = [];
const incidents: StoredIncident[] = [];
const ofCustomer = <Draft extends object>(draft: Draft) => ({ ...draft, customerId: world.customer.id });

beforeAll(async () => {
  world = await startStoredWorld();
  const drafts = NAMES.map((sandboxId, index) =>
    ofCustomer({
      ...sampleDraft(index, 'POLICY_EVENT', {
        type: 'SANDBOX',
        sandboxId,
        version: 1,
        slug: sandboxId,
        regulations: SANDBOXES[sandboxId],
        guardianAction: 'REDACT_AND_CONTINUE',
        redactionStrategy: 'FULL',
        active: true,
        deletedAt: null,
      }),
      id: `sandbox:${sandboxId}:1`,
    }),
  );
  for (let n = 0; n < SIGNALS_STORED; n += 1) {
    const index = drafts.length;
    const sandboxId = NAMES[n % NAMES.length]!;
    const core = { ...sampleCore(index), sandboxId };
    drafts.push(ofCustomer(sampleDraft(index, 'SIGNAL', core)) as never);
    signals.push({ id: core.auditId, sandbox: sandboxId, at: core.createdAt, isErased: n % 7 === 6 });
  }
  // Opened long after their signals, so that an incident may lie within a period and its signal outside, or the
  // reverse.
  for (const signal of signals.filter((_, n) => n % 3 !== 1)) {
    const index = drafts.length;
    const incident = { id: v7(), signal, at: timeOf(index + (index % 20)) };
    incidents.push(incident);
    const core = {
      incidentId: incident.id,
      version: 1,
      signalId: signal.id,
      status: 'OPEN',
      createdAt: incident.at,
    };
    drafts.push(
      ofCustomer({ ...sampleDraft(index, 'INCIDENT_EVENT', core), id: `${incident.id}:1` }) as never,
    );
  }
  await store(drafts);
  await openAll();
}, 60_000);
afterAll(() => world.close());

async function store(drafts: Parameters<typeof storedRows>[0]): Promise<void> {
  const rows = storedRows(drafts);
  const erased = rows.signals.filter(({ auditId }) => signals.find(({ id }) => id === auditId)!.isErased);
  await world.real.insert(ENTRIES, rows.entries);
  await storeChain(world, world.customer.id, rows);
  await world.real.insert(
    SIGNALS,
    erased.map((row) => blanked(row, 'ALL', drafts.length)),
  );
  await growTree(world.real.warehouse, world.customer.id, rows.ledger.length);
}

async function openAll(): Promise<void> {
  const opened = openIncidents({
    documents: world.harness.state.documents,
    makeEntry: async ({ kind, id, customerId }) => ({
      entryId: `${kind}:${id}`,
      topic: 'audit.ledger',
      key: customerId,
      valueBase64: '',
      headers: {},
    }),
    announce: () => undefined,
  });
  const ample = Number.MAX_SAFE_INTEGER;
  for (const { id, signal, at } of incidents)
    await opened.open({
      customerId: world.customer.id,
      id,
      signalId: signal.id,
      auditId: signal.id,
      severity: 'HIGH',
      violations: ['EMAIL'],
      title: 'of the sample',
      description: null,
      createdAt: at,
      createdByKeyId: null,
      dueAt: null,
      notifyBy: null,
      budget: {
        versionsPerDay: ample,
        sandboxesEver: ample,
        apiKeysEver: ample,
        incidentsEver: ample,
        auditorsEver: ample,
        policies: ample,
        storedBytes: ample,
      },
    });
}

interface View {
  readonly frameworks: readonly Framework[] | null;
  readonly from: string | null;
  readonly to: string | null;
}

const isWithin = (at: string, { from, to }: Pick<View, 'from' | 'to'>): boolean =>
  (from === null || at >= from) && (to === null || at <= to);
const isNamed = (sandbox: string, frameworks: readonly Framework[] | null): boolean =>
  frameworks === null || frameworks.some((one) => SANDBOXES[sandbox]!.includes(one));
const sees = (view: View, { at, sandbox, isErased }: StoredSignal): boolean =>
  !isErased && isNamed(sandbox, view.frameworks) && isWithin(at, view);
const isLimited = ({ frameworks, from, to }: View): boolean =>
  frameworks !== null || from !== null || to !== null;
const seesIncident = (view: View, { at, signal }: StoredIncident): boolean =>
  !isLimited(view) || (isWithin(at, view) && sees(view, signal));

const moment = fc.option(fc.integer({ min: 0, max: ENDS_AT }).map(timeOf), { nil: null });
const range = fc
  .tuple(moment, moment)
  .map(([a, b]) => (a !== null && b !== null && a > b ? { from: b, to: a } : { from: a, to: b }));
const anyView: fc.Arbitrary<View> = fc
  .record({
    frameworks: fc.option(fc.uniqueArray(fc.constantFrom(...FRAMEWORKS), { minLength: 1, maxLength: 3 }), {
      nil: null,
    }),
    period: range,
  })
  .map(({ frameworks, period }) => ({ frameworks, ...period }));

test('an auditor’s view of signals, incidents, proofs and attestations respects its limits', async () => {
  const { harness, customer } = world;
  await fc.assert(
    fc.asyncProperty(anyView, range, fc.constantFrom(...signals), async (view, asked, proved) => {
      // Buckets are full again.
      harness.skew += 10_000;
      const auditor = await makeAuditor(harness, customer, {
        ...(view.frameworks === null ? {} : { frameworks: view.frameworks }),
        ...(view.from === null ? {} : { periodStart: view.from }),
        ...(view.to === null ? {} : { periodEnd: view.to }),
      });
      const get = (path: string, query: Record<string, string> = {}) =>
        harness.call({ url: `/auditor/${path}?${new URLSearchParams(query)}`, headers: auditor.headers });
      /** Ids of all pages, and the total reported by the first one. */
      const all = async (path: string, query: Record<string, string> = {}) => {
        const ids: string[] = [];
        let { body } = await get(path, { limit: '9', ...query });
        const { total } = body.pagination;
        for (;;) {
          ids.push(...body.data.map(({ id }: { id: string }) => id));
          const { nextCursor: cursor } = body.pagination;
          if (cursor === null) return { ids: ids.sort(), total };
          ({ body } = await get(path, { limit: '9', ...query, cursor }));
        }
      };
      const listed = (found: readonly { readonly id: string }[]) => ({
        ids: found.map(({ id }) => id).sort(),
        total: found.length,
      });
      const period = {
        ...(asked.from === null ? {} : { startDate: asked.from }),
        ...(asked.to === null ? {} : { endDate: asked.to }),
      };
      const inView = signals.filter((signal) => sees(view, signal));
      expect(await all('signals', period)).toEqual(listed(inView.filter(({ at }) => isWithin(at, asked))));
      const shown = incidents.filter((incident) => seesIncident(view, incident));
      expect(await all('incidents')).toEqual(listed(shown));
      expect(await all('incidents', { signalId: proved.id })).toEqual(
        listed(shown.filter(({ signal }) => signal === proved)),
      );
      for (const { id } of incidents.slice(0, 3)) {
        const isShown = shown.some((one) => one.id === id);
        expect([id, (await get(`incidents/${id}`)).status]).toEqual([id, isShown ? 200 : 404]);
      }
      const proof = await get('hash-chain/proofs/inclusion', { auditId: proved.id });
      expect(proof.status).toBe(!isLimited(view) || sees(view, proved) ? 200 : 404);
      await expectAttested(view, asked, (await get('attestations', { limit: '100', ...period })).body.data);
      const revoked = `/evidence/auditors/${auditor.id}`;
      await harness.call({ method: 'DELETE', url: revoked, headers: customer.headers });
    }),
    {
      numRuns: 5,
      examples: [[{ frameworks: ['PCI_DSS'], from: null, to: null }, { from: null, to: null }, signals[0]!]],
    },
  );
}, 120_000);

interface Attested {
  readonly framework: Framework;
  readonly scope: string;
  readonly signalCount: number;
  readonly sampleSignalIds: readonly string[];
}

async function expectAttested(view: View, asked: Pick<View, 'from' | 'to'>, attested: readonly Attested[]) {
  const granted = view.frameworks ?? FRAMEWORKS;
  for (const { framework, scope, signalCount, sampleSignalIds } of attested) {
    expect(granted).toContain(framework);
    const isNamedAtAll = NAMES.some((name) => SANDBOXES[name]!.includes(framework));
    // Only an auditor without a limit to frameworks falls back to all signals.
    const falls = !isNamedAtAll && view.frameworks === null;
    expect([framework, scope]).toEqual([framework, falls ? 'ALL' : 'NAMED']);
    const counted = signals.filter(
      (signal) =>
        sees(view, signal) && isWithin(signal.at, asked) && (falls || isNamed(signal.sandbox, [framework])),
    );
    expect([framework, signalCount]).toEqual([framework, counted.length]);
    const ids = counted.map(({ id }) => id);
    expect(sampleSignalIds.filter((id) => !ids.includes(id))).toEqual([]);
  }
}

// Last, because it breaks the chain.
test('a fault of the chain is named by its index, without an id', async () => {
  const { harness, real, customer } = world;
  const auditor = await makeAuditor(harness, customer, { frameworks: ['PCI_DSS'] });
  const get = async (path: string) =>
    (await harness.call({ url: `/auditor/hash-chain/${path}`, headers: auditor.headers })).body.data;
  const changed = signals.findIndex(({ isErased }) => !isErased) + NAMES.length;
  await real.warehouse.command(
    `ALTER TABLE signals UPDATE model = 'changed' WHERE \`index\` = ${changed} SETTINGS mutations_sync = 2`,
  );
  const result = await get('verify?mode=full');
  // Entries of sandboxes were stored without the sandboxes, so those are faults too.
  const fault = { index: changed, reason: 'MODIFIED' };
  expect([result.valid, result.brokenAt]).toEqual([false, { index: 0, reason: 'DOCUMENT_CHANGED' }]);
  expect(result.errors).toContainEqual(fault);
  const started = await get('verify?mode=full&job=true');
  let job = started;
  while (job.status === 'RUNNING') {
    // Real time, in which the job runs: a minute of the clock without a note would end it.
    await setTimeout(100);
    job = await get(`verifications/${started.id}`);
  }
  expect(job.result).toMatchObject({ valid: false, errors: expect.arrayContaining([fault]) });
  for (const { id } of signals) expect(JSON.stringify([result, job])).not.toContain(id);
});
