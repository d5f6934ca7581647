import { openNote } from '#core/evidence/checkpoint/signed-note.ts';
import { parseVerifierKey } from '#core/evidence/checkpoint/verifier-key.ts';
import { CATALOGUES } from '#core/evidence/frameworks/catalogues.ts';
import { blanked, sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { NOTICE } from '#schemas/api/evidence/attestations.ts';
import { ENTRIES, SIGNALS } from '#schemas/tables/tables.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';
import type { Answered } from '../../testing/harness.ts';
import { storeChain, storeDerived } from '../../testing/stored-ledger.ts';
import { type StoredWorld, startStoredWorld } from '../../testing/stored-world.ts';

const PATH = '/evidence/attestations';
const CONTROLS = CATALOGUES.reduce((sum, { controls }) => sum + controls.length, 0);

let world: StoredWorld;
let customer: Awaited<ReturnType<StoredWorld['harness']['customer']>>;
beforeAll(async () => {
  world = await startStoredWorld();
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await world.real.clear();
  customer = await world.harness.customer();
});

const get = (path = '', headers = customer.headers): Promise<Answered> =>
  world.harness.call({ url: `${PATH}${path}`, headers });
// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their contracts by the harness
const list = async (query = ''): Promise<any[]> => (await get(query)).body.data;
const control = async (framework: string, id: string, query = '') =>
  (await list(`?framework=${framework}${query}`)).find(({ controlId }) => controlId === id);

const SUPPORT = 'sandbox-of-support';
const SALES = 'sandbox-of-sales';

const sandbox = (index: number, sandboxId: string, change: object = {}, version = 1) => ({
  ...sampleDraft(index, 'POLICY_EVENT', {
    type: 'SANDBOX',
    sandboxId,
    version,
    slug: sandboxId,
    regulations: [],
    guardianAction: 'REDACT_AND_CONTINUE',
    redactionStrategy: 'FULL',
    active: true,
    deletedAt: null,
    ...change,
  }),
  customerId: customer.id,
  id: `sandbox:${sandboxId}:${version}`,
});
const signal = (index: number, change: object = {}) => ({
  ...sampleDraft(index, 'SIGNAL', { ...sampleCore(index), sandboxId: SUPPORT, violations: [], ...change }),
  customerId: customer.id,
});

const INCIDENT_AT = '2026-03-04T05:13:07.089Z';
const hoursAfter = (at: string, hours: number): string =>
  new Date(Date.parse(at) + hours * 3_600_000).toISOString();
const incidentEvent = (
  index: number,
  incidentId: string,
  version: number,
  signalId: string,
  status: string,
  judged?: { readonly afterHours: number },
) => ({
  ...sampleDraft(index, 'INCIDENT_EVENT', {
    incidentId,
    version,
    signalId,
    status,
    createdAt: INCIDENT_AT,
    updatedAt: hoursAfter(INCIDENT_AT, judged?.afterHours ?? 0),
    ...(judged === undefined ? {} : { transition: { from: 'OPEN', to: status } }),
  }),
  customerId: customer.id,
  id: `${incidentId}:${version}`,
});

/** Stores a ledger of these entries, starting at `from`, with its tree. */
async function store(drafts: Parameters<typeof storedRows>[0], from = 0) {
  const rows = storedRows(drafts);
  const isNew = ({ index }: { readonly index: number }): boolean => index >= from;
  const signals = rows.signals.filter(isNew);
  await world.real.insert(ENTRIES, rows.entries.filter(isNew));
  await world.real.insert(SIGNALS, signals);
  await storeChain(world, customer.id, { ...rows, signals: [] }, from);
  await storeDerived(world, { ledger: [], signals });
  await growTree(world.real.warehouse, customer.id, rows.ledger.length);
  return rows;
}

const clean = { riskLevel: 'LOW', piiDetected: false };

describe('attestations', () => {
  test('cover every control of every framework as of a signed checkpoint, always with the same bytes', async () => {
    await store([sandbox(0, SUPPORT), signal(1, clean), signal(2, { violations: ['EMAIL'] })]);
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      pagination: { page: 1, limit: 100, total: CONTROLS, pages: 1, nextCursor: null },
    });
    const { data } = answer.body;
    expect(data).toHaveLength(CONTROLS);
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(CONTROLS);
    const { body: checkpoint } = await world.harness.call({
      url: '/evidence/hash-chain/checkpoint',
      headers: customer.headers,
    });
    const { body: keys } = await world.harness.call({
      url: '/evidence/hash-chain/keys',
      headers: customer.headers,
    });
    expect(openNote(data[0].checkpoint, [parseVerifierKey(keys.data[0].vkey)!])).not.toBeNull();
    for (const one of data)
      expect(one).toMatchObject({
        notice: NOTICE,
        scope: 'ALL',
        signalCount: 2,
        checkpoint: checkpoint.data.note,
        generatedAt: checkpoint.data.issuedAt,
        catalogueVersion: '1.0.0',
        periodStart: null,
        periodEnd: null,
      });
    expect((await get()).text).toBe(answer.text);
  });

  test('name what counts against a control, with codes and sample signals', async () => {
    const drafts = [
      sandbox(0, SUPPORT),
      signal(1, { violations: ['EMAIL', 'SSN'] }),
      signal(2, { violations: ['EMAIL'], riskLevel: 'LOW' }),
      signal(3, clean),
    ];
    await store(drafts);
    expect(await control('GDPR', 'Art. 5(1)(c)')).toMatchObject({
      framework: 'GDPR',
      evidenceType: 'VIOLATION',
      status: 'OPEN',
      signalCount: 3,
      violationCount: 2,
      violationsByCode: { EMAIL: 2, SSN: 1 },
      openIncidents: 0,
      sampleSignalIds: [sampleCore(1).auditId, sampleCore(2).auditId],
      appliesFrom: null,
    });
    expect(await control('ISO27001', 'A.8.26')).toMatchObject({ status: 'CLEAR', violationCount: 0 });
    expect(await control('EU_AI_ACT', 'Art. 50(1)')).toMatchObject({
      status: 'NO_EVIDENCE',
      appliesFrom: '2026-08-02',
    });
    expect((await list('?framework=CCPA')).map(({ framework }) => framework)).toEqual(Array(11).fill('CCPA'));
  });

  test('use the signals of sandboxes that name the framework, or all if none does', async () => {
    const hipaa = { regulations: ['HIPAA'] };
    const drafts = [
      sandbox(0, SUPPORT),
      sandbox(1, SALES, hipaa),
      signal(2, clean),
      signal(3, { ...clean, sandboxId: SALES }),
      signal(4, { sandboxId: SALES, violations: ['HEALTH_DATA', 'PHONE'] }),
    ];
    await store(drafts);
    expect(await control('HIPAA', '164.502(b)')).toMatchObject({
      scope: 'NAMED',
      signalCount: 2,
      violationCount: 1,
      violationsByCode: { HEALTH_DATA: 1 },
    });
    expect(await control('GDPR', 'Art. 9(1)')).toMatchObject({ scope: 'ALL', signalCount: 3 });
    world.harness.skew += 2_000;
    await store([...drafts, sandbox(5, SALES, {}, 2)], 5);
    expect(await control('HIPAA', '164.502(b)')).toMatchObject({ scope: 'ALL', signalCount: 3 });
  });

  test('exclude what is above the checkpoint, erased, or outside the period', async () => {
    const drafts = Array.from({ length: 6 }, (_, index) => signal(index, { violations: ['XSS'] }));
    const { signals } = await store(drafts);
    const above = storedRows([...drafts, signal(6, { violations: ['XSS'] })]);
    await world.real.insert(SIGNALS, above.signals.slice(6));
    const counts = async (query = '') => {
      const { signalCount, violationCount, sampleSignalIds } = await control('SOC2', 'CC6.6', query);
      return [signalCount, violationCount, sampleSignalIds.length];
    };
    expect(await counts()).toEqual([6, 6, 6]);
    await world.real.insert(SIGNALS, [blanked(signals[2]!, 'ALL', 9)]);
    expect(await counts()).toEqual([5, 5, 5]);
    const [from, to] = [sampleCore(1).createdAt, sampleCore(4).createdAt];
    expect(await counts(`&startDate=${from}&endDate=${to}`)).toEqual([3, 3, 3]);
    expect(await control('SOC2', 'CC6.6', `&startDate=${from}&endDate=${to}`)).toMatchObject({
      periodStart: from,
      periodEnd: to,
    });
    expect(await counts('&startDate=2030-01-01')).toEqual([0, 0, 0]);
  });

  test('of a customer without entries report no evidence', async () => {
    const data = await list();
    expect(data).toHaveLength(CONTROLS);
    for (const one of data)
      expect(one).toMatchObject({
        status: 'NO_EVIDENCE',
        signalCount: 0,
        checkpoint: null,
        generatedAt: null,
      });
  });

  test('of other customers are not shown', async () => {
    await store([signal(0, { violations: ['XSS'] })]);
    const other = await world.harness.customer();
    const { body } = await get('?framework=SOC2', other.headers);
    expect(body.data[0]).toMatchObject({ signalCount: 0, sampleSignalIds: [] });
  });

  test('come in pages', async () => {
    await store([signal(0)]);
    const seen: string[] = [];
    let query = '?limit=40';
    for (let page = 1; page <= 3; page += 1) {
      const { body } = await get(query);
      expect(body.pagination).toMatchObject({ page, limit: 40, total: CONTROLS, pages: 3 });
      seen.push(...body.data.map(({ controlId }: { controlId: string }) => controlId));
      query = `?limit=40&cursor=${body.pagination.nextCursor}`;
      if (page === 3) expect(body.pagination.nextCursor).toBeNull();
    }
    expect(seen).toEqual(CATALOGUES.flatMap(({ controls }) => controls.map(({ id }) => id)));
    const { body: second } = await get('?limit=40&page=2');
    expect(second.data.map(({ controlId }: { controlId: string }) => controlId)).toEqual(seen.slice(40, 80));
    const { body: first } = await get('?limit=1');
    expect((await get(`?framework=SOC2&cursor=${first.pagination.nextCursor}`)).body.code).toBe(
      'INVALID_CURSOR',
    );
  });

  test('answer 400 for an unknown framework or invalid dates', async () => {
    for (const query of ['?framework=NIST', '?framework=gdpr', '?startDate=never', '?limit=0'])
      expect([query, (await get(query)).status]).toEqual([query, 400]);
    expect((await get('/coverage?framework=NIST')).status).toBe(400);
  });
});

describe('checks', () => {
  test('of the chain reflect its verification', async () => {
    await store([sandbox(0, SUPPORT), signal(1, clean)]);
    const integrity = async () => (await control('HIPAA', '164.312(c)(1)')).status;
    const verify = () =>
      world.harness.call({ url: '/evidence/hash-chain/verify', headers: customer.headers });
    expect(await integrity()).toBe('NO_EVIDENCE');
    await verify();
    expect(await integrity()).toBe('CLEAR');
    await world.real.warehouse.command(
      "ALTER TABLE signals UPDATE model = 'changed' WHERE `index` = 1 SETTINGS mutations_sync = 2",
    );
    await verify();
    expect(await integrity()).toBe('OPEN');
  });

  test('of auditors’ calls count their entries in the period, below the checkpoint', async () => {
    const called = (index: number) => ({
      ...sampleDraft(index, 'AUDITOR_ACCESS', { auditorId: 'a', permission: null, path: '/auditor/*' }),
      customerId: customer.id,
    });
    await store([signal(0, clean), called(1), called(2)]);
    const { entries } = storedRows([called(0), called(1), called(2), called(3)]);
    // An entry above the checkpoint, and a row written twice.
    await world.real.insert(ENTRIES, [entries[3]!, entries[1]!]);
    const logged = async (query = '') => {
      const { status, checks } = await control('PCI_DSS', '10.2.1.3', query);
      return [status, checks[0].reason.replace(/^[^:]*: /, '')];
    };
    expect(await logged()).toEqual(['CLEAR', '2 in the period']);
    const until = `&startDate=${sampleCore(0).createdAt}&endDate=${sampleCore(1).createdAt}`;
    expect(await logged(until)).toEqual(['CLEAR', '1 in the period']);
    const before = `&startDate=${sampleCore(0).createdAt}&endDate=${sampleCore(0).createdAt}`;
    expect((await logged(before))[0]).toBe('NO_EVIDENCE');
  });

  test('of sandboxes reflect their settings', async () => {
    const open = { guardianAction: 'ALLOW_ALL' };
    const drafts = [sandbox(0, SUPPORT, { redactionStrategy: 'HASHED' }), signal(1)];
    await store(drafts);
    expect((await control('GDPR', 'Art. 25(1)-(2)')).status).toBe('CLEAR');
    expect((await control('GDPR', 'Art. 32(1)(a)')).status).toBe('CLEAR');
    expect((await control('PCI_DSS', '3.5.1.1')).status).toBe('CLEAR');
    world.harness.skew += 2_000;
    await store([...drafts, sandbox(2, SUPPORT, open, 2)], 2);
    expect((await control('GDPR', 'Art. 25(1)-(2)')).status).toBe('OPEN');
    expect((await control('GDPR', 'Art. 32(1)(a)')).status).toBe('OPEN');
    expect((await control('PCI_DSS', '3.5.1.1')).status).toBe('NO_EVIDENCE');
  });
});

describe('incidents', () => {
  test('that are resolved or dismissed address faults of a control, as of the checkpoint', async () => {
    const drafts = [
      signal(0, { violations: ['XSS'] }),
      signal(1, { violations: ['XSS', 'SSRF'] }),
      signal(2, { violations: ['XSS'], riskLevel: 'LOW' }),
    ];
    const [first, second] = [sampleCore(0).auditId, sampleCore(1).auditId];
    /** Adds these to the ledger and returns the attestations at its next checkpoint. */
    const attestedWith = async (
      ...events: (readonly [id: string, version: number, signalId: string, status: string])[]
    ) => {
      const from = drafts.length;
      for (const event of events) drafts.push(incidentEvent(drafts.length, ...event));
      world.harness.skew += 2_000;
      await store(drafts, from === 3 && events.length === 0 ? 0 : from);
      const attested = await list('?framework=SOC2');
      return (id: string) => attested.find(({ controlId }) => controlId === id);
    };
    const none = await attestedWith();
    expect([none('CC6.6').status, none('CC7.4').status]).toEqual(['OPEN', 'NO_EVIDENCE']);
    const opened = await attestedWith(['a', 1, first, 'OPEN']);
    expect([opened('CC6.6').status, opened('CC6.6').openIncidents]).toEqual(['OPEN', 1]);
    const some = await attestedWith(['a', 2, first, 'RESOLVED']);
    expect([some('CC6.6').status, some('CC7.4').status]).toEqual(['OPEN', 'OPEN']);
    const all = await attestedWith(
      ['b', 1, second, 'OPEN'],
      ['b', 2, second, 'DISMISSED'],
      ['c', 1, second, 'INVESTIGATING'],
      ['d', 1, sampleCore(20).auditId, 'OPEN'],
    );
    expect(all('CC6.6')).toMatchObject({ status: 'ADDRESSED', openIncidents: 1, violationCount: 3 });
    expect(all('CC7.4').status).toBe('CLEAR');
  });

  test('are timely if each first move came within three days', async () => {
    const id = sampleCore(0).auditId;
    const drafts = [signal(0, { violations: ['XSS'] })];
    const judgedIn = async (...events: ReturnType<typeof incidentEvent>[]) => {
      const from = drafts.length;
      drafts.push(...events);
      world.harness.skew += 2_000;
      await store(drafts, from);
      return (await control('SOC2', 'CC7.3')).checks[0];
    };
    await store(drafts);
    const inTime = await judgedIn(
      incidentEvent(1, 'a', 1, id, 'OPEN'),
      incidentEvent(2, 'a', 2, id, 'INVESTIGATING', { afterHours: 5 }),
    );
    expect(inTime).toMatchObject({ name: 'incidentsTriaged', outcome: 'PASS' });
    expect(inTime.reason).toBe('1 incidents were assessed within three days, half of them within 5.0 hours');
    const late = await judgedIn(
      incidentEvent(3, 'b', 1, id, 'OPEN'),
      incidentEvent(4, 'b', 2, id, 'INVESTIGATING', { afterHours: 80 }),
    );
    expect(late).toMatchObject({ outcome: 'FAIL' });
    expect(late.reason).toBe('1 of 2 incidents waited more than three days for a first assessment');
  });
});

describe('coverage', () => {
  test('of a framework counts its controls by status, and names the gaps', async () => {
    await store([sandbox(0, SUPPORT), signal(1, { violations: ['EMAIL'] })]);
    const { body } = await get('/coverage?framework=GDPR');
    const attested = await list('?framework=GDPR');
    const gaps = attested.filter(({ status }) => status === 'NO_EVIDENCE');
    expect(body.data).toMatchObject({
      framework: 'GDPR',
      scope: 'ALL',
      totalControls: 15,
      controlsWithEvidence: 15 - gaps.length,
      coveragePercent: Math.round((1_000 * (15 - gaps.length)) / 15) / 10,
      gaps: gaps.map(({ controlId, reason }) => ({ controlId, reason })),
      catalogueVersion: '1.0.0',
      notice: NOTICE,
    });
    expect(gaps.length).toBeGreaterThan(0);
    for (const [status, count] of Object.entries(body.data.byStatus))
      expect([status, count]).toEqual([status, attested.filter((one) => one.status === status).length]);
  });

  test('of all frameworks is a list', async () => {
    const { body } = await get('/coverage');
    expect(body.data.map(({ framework }: { framework: string }) => framework)).toEqual(
      CATALOGUES.map(({ framework }) => framework),
    );
    for (const one of body.data) expect(one).toMatchObject({ controlsWithEvidence: 0, coveragePercent: 0 });
  });
});

test('nothing is attested for a ledger that does not continue its last checkpoint', async () => {
  await store([signal(0), signal(1), signal(2)]);
  await get();
  await world.real.clear();
  await store([signal(0)]);
  for (const path of ['', '/coverage']) expect((await get(path)).body.code).toBe('LEDGER_ROLLED_BACK');
});
