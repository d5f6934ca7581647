import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { type Client, createClient, RequestFailed } from '../../cli/command/client.ts';
import { runCas } from '../helpers/cas-process.ts';
import {
  customerClient,
  makeCustomer,
  makeSandbox,
  type TestCustomer,
  triplet,
} from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { expectWhole, verifyChain } from '../helpers/final-state.ts';
import type { RunningService } from './spine.scenario.ts';

/** The environment of the scenario. `start` after a stop keeps the data; `environment` is added to its own. */
export interface ReplaySetUp {
  start(environment: Readonly<Record<string, string>>): Promise<RunningService>;
  dispose(): Promise<void>;
}

const FAILS = 'always-fails';
const FAULTS = { FAULT_INJECTION: `open:${FAILS}:99` };
/** KEY_EVENT of the customer's key and POLICY_EVENT of each sandbox. */
const SET_UP_ENTRIES = 3;

interface Answered {
  readonly status: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests look at
  readonly body: any;
}

/** Status and body, including the error code; null when the connection broke. */
async function ask(client: Client, method: string, path: string, body?: unknown): Promise<Answered> {
  try {
    const answer = await client.request(method, path, body);
    return { status: answer.statusCode, body: answer.body };
  } catch (error) {
    if (error instanceof RequestFailed) return { status: error.statusCode, body: { code: error.code } };
    throw error;
  }
}

/** Dead letters, their replay, and platform signals over HTTP only: the same for every set-up. */
export function describeReplay(name: string, start: () => Promise<ReplaySetUp>): void {
  describe(`dead letters and platform signals: ${name}`, () => {
    let setUp: ReplaySetUp;
    let service: RunningService;
    let customer: TestCustomer;
    /** Audits with a signal. */
    const stored = new Set<string>();

    const use = (running: RunningService): void => {
      service = running;
      customer = { ...customer, client: customerClient(running.url, customer.key) };
    };
    beforeAll(async () => {
      setUp = await start();
      service = await setUp.start(FAULTS);
      customer = await makeCustomer(service, 'Replays');
      await makeSandbox(customer.client, 'here');
      await makeSandbox(customer.client, 'there');
    }, 120_000);
    afterAll(async () => {
      await service?.killTree();
      await setUp?.dispose();
    }, 60_000);

    const call = (method: string, path: string, body?: unknown) => ask(customer.client, method, path, body);
    const audit = async (auditId: string, query = '') =>
      (await call('GET', `/audits/${auditId}${query}`)).body;
    const deadLetters = async (query = ''): Promise<string[]> =>
      (await call('GET', `/dead-letters${query}`)).body.data.map(({ id }: { id: string }) => id);
    const failed = async (slug: string, count = 1): Promise<string[]> => {
      const ids: string[] = [];
      while (ids.length < count) {
        ids.push((await call('POST', '/audit/ingest', triplet(slug, ids.length, FAILS))).body.auditId);
      }
      for (const auditId of ids) expect((await audit(auditId, '?wait=30')).status).toBe('FAILED');
      return ids;
    };
    const completes = async (auditId: string): Promise<unknown> => {
      const final = await audit(auditId, '?wait=30');
      expect([auditId, final.status]).toEqual([auditId, 'COMPLETED']);
      stored.add(auditId);
      return final;
    };
    const submit = (signal: object): Promise<Answered> => {
      const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
      return ask(internal, 'POST', '/internal/signal', signal);
    };
    const signalOf = (auditId: string, riskLevel = 'HIGH') => ({
      auditId,
      customerId: customer.id,
      sandboxSlug: 'here',
      provider: 'gemini',
      model: 'gemini-3',
      riskLevel,
      violations: ['EMAIL'],
      reasoning: 'It named jane.roe@example.org.',
    });

    test('a failed audit is listed, replayed, completes and is no longer listed', async () => {
      const fine = (await call('POST', '/audit/ingest', triplet('here', 1))).body.auditId;
      await completes(fine);
      const [auditId] = await failed('here');
      const [row] = (await call('GET', '/dead-letters')).body.data;
      expect(row).toMatchObject({ id: auditId, reason: 'ANALYSIS_FAILED', attempts: 3, sandboxSlug: 'here' });
      expect(await verifyChain(customer.client)).toMatchObject({ treeSize: 1 + SET_UP_ENTRIES });

      const answers = await Promise.all([1, 2, 3].map(() => call('POST', `/dead-letters/${auditId}/replay`)));
      expect(answers.map(({ status, body }) => [status, body.matched])).toEqual(answers.map(() => [202, 1]));
      expect(answers.reduce((sum, { body }) => sum + body.replayed, 0)).toBe(1);
      expect(['QUEUED', 'PROCESSING', 'COMPLETED']).toContain((await audit(auditId!)).status);

      expect(await completes(auditId!)).toMatchObject({ attempts: 4, riskLevel: expect.any(String) });
      const steps = (await audit(auditId!)).steps.map((step: { name: string }) => step.name);
      const attempts = ['ANALYZING', 'RETRYING', 'ANALYZING', 'RETRYING', 'ANALYZING', 'DEAD_LETTERED'];
      expect(steps).toEqual(['ACCEPTED', ...attempts, 'RETRYING', 'ANALYZING', 'STORED']);
      expect(await deadLetters()).toEqual([]);
      expect(await call('POST', `/dead-letters/${auditId}/replay`)).toMatchObject({ status: 404 });
      const verification = await expectWhole(customer.client, stored);
      expect(verification).toMatchObject({ status: 'VALID', treeSize: 2 + SET_UP_ENTRIES });
    }, 120_000);

    test('a filtered replay takes only what matches', async () => {
      const [here, there] = await Promise.all([failed('here', 3), failed('there', 2)]);
      expect(new Set(await deadLetters())).toEqual(new Set([...here, ...there]));
      expect(new Set(await deadLetters('?sandboxSlug=there'))).toEqual(new Set(there));
      const replay = (body: object) => call('POST', '/dead-letters/replay', body);
      const filter = { sandboxSlug: 'there', reason: 'ANALYSIS_FAILED' };
      expect((await replay({ filter, dryRun: true })).body).toMatchObject({ matched: 2, replayed: 0 });
      expect(await replay({ filter })).toMatchObject({ status: 202, body: { matched: 2, replayed: 2 } });
      for (const auditId of there) await completes(auditId);
      expect(new Set(await deadLetters())).toEqual(new Set(here));
      expect((await replay({ filter: {} })).body).toMatchObject({
        matched: 3,
        replayed: 3,
        nextCursor: null,
      });
      for (const auditId of here) await completes(auditId);
      expect(await deadLetters()).toEqual([]);
      await expectWhole(customer.client, stored);
    }, 120_000);

    test('the command line lists and replays', async () => {
      const [one, ...others] = await failed('there', 3);
      const cas = async (...args: string[]): Promise<string> => {
        const { port } = new URL(service.url);
        const { code, output } = await runCas(['dead-letters', ...args], {
          PORT: port,
          CAS_API_KEY: customer.key,
        });
        return `${code} ${output}`;
      };
      const list = await cas('list', '--filter', 'sandboxSlug=there');
      for (const auditId of [one, ...others]) expect(list).toContain(auditId);
      expect(await cas('list', '--filter', 'reason=LOST')).not.toContain(one);
      expect(await cas('replay', '--all', '--dry-run')).toMatch(/^0 3 failed audits to replay/);
      expect(await cas('replay', one!)).toMatch(/^0 Replaying 1 of 1 failed audit/);
      const all = await cas('replay', '--filter', 'sandboxSlug=there', '--filter', 'from=2026-01-01');
      expect(all).toMatch(/^0 Replaying 2 of [23] failed audits/);
      for (const auditId of [one, ...others]) await completes(auditId!);
      expect(await cas('replay', one!)).toMatch(/^1 cas: No failed audit/);
      expect(await cas('replay')).toMatch(/^2 cas: Give one of/);
      expect(await cas('replay', '--filter', 'sandbox=there')).toMatch(/^2 .*name=value/);
    }, 120_000);

    test('a platform signal is stored once per id, masked and chained, and does not count as an ingest', async () => {
      const auditId = '5f8b3d1e-7a52-4c6e-9d2b-3f6a1e0c9d11';
      const answer = await submit(signalOf(auditId));
      expect([answer.status, answer.body.source]).toEqual([201, 'INTERNAL']);
      expect(await audit(auditId)).toMatchObject({ source: 'INTERNAL', attempts: 0 });
      expect(await completes(auditId)).toMatchObject({ source: 'INTERNAL', attempts: 0, riskLevel: 'HIGH' });
      const { body: signal } = await call('GET', `/dashboard/signals/${auditId}`);
      expect(signal).toMatchObject({ source: 'INTERNAL', policyVersion: null, detections: [] });
      expect(signal.reasoning).not.toContain('jane');
      expect(await submit(signalOf(auditId))).toMatchObject({ status: 200, body: { auditId } });
      expect(await submit(signalOf(auditId, 'LOW'))).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      });
      const [ingested] = [...stored];
      expect(await submit(signalOf(ingested!))).toMatchObject({ status: 409 });
      const verification = await expectWhole(customer.client, stored);
      expect(verification).toMatchObject({ status: 'VALID', treeSize: stored.size + SET_UP_ENTRIES });
    }, 60_000);

    /**
     * The answering process crashes at the point; the others stop cleanly, so that no consumer group waits for them.
     */
    const killedAt = async (point: string, request: () => Promise<Answered>): Promise<void> => {
      expect(await service.stop()).toBe(0);
      use(await setUp.start({ ...FAULTS, CRASH_AT: point }));
      expect((await request()).status).toBeNull();
      await service.stop();
      await service.killTree();
      use(await setUp.start(FAULTS));
    };

    test('killed between append and answer, stores a signal once, and a retry finds it', async () => {
      const auditId = '5f8b3d1e-7a52-4c6e-9d2b-3f6a1e0c9d12';
      await killedAt('api.signal-appended', () => submit(signalOf(auditId)));
      expect((await submit(signalOf(auditId, 'LOW'))).status).toBe(409);
      expect((await submit(signalOf(auditId))).status).toBe(201);
      expect((await submit(signalOf(auditId))).status).toBe(200);
      await completes(auditId);
      await expectWhole(customer.client, stored);
    }, 180_000);

    test('killed between append and answer, replays an audit, and a retry starts no second replay', async () => {
      const [auditId] = await failed('here');
      const path = `/dead-letters/${auditId}/replay`;
      await killedAt('api.replay-appended', () => call('POST', path));
      const repeat = await call('POST', path);
      expect([repeat.status, repeat.body.replayed ?? repeat.body.code]).toEqual(
        repeat.status === 202 ? [202, 0] : [404, 'NOT_FOUND'],
      );
      // The dead process's marker does not block the replay: the audit is final once its signal is stored.
      const final = await eventually('the replay is stored', 60_000, async () => {
        const { status, attempts } = await audit(auditId!);
        return status === 'COMPLETED' ? { attempts } : undefined;
      });
      expect(final).toEqual({ attempts: 4 });
      stored.add(auditId!);
      expect(await deadLetters()).toEqual([]);
      const verification = await expectWhole(customer.client, stored);
      expect(verification.treeSize).toBe(stored.size + SET_UP_ENTRIES);
    }, 180_000);
  });
}
