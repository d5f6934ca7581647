import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { DEAD_LETTERS, TRIPLETS } from '#schemas/topics.ts';
import { type Client, createClient } from '../../cli/command/client.ts';
import { makeCustomer, type TestCustomer } from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { createMarks, type Marks } from './marks.ts';
import type { Piece } from './stores.ts';
import * as ways from './ways.ts';

/** The running service, in any number of processes. */
export interface CanaryService {
  readonly url: string;
  readonly internalSecret: string;
  /** URLs of each process's metrics. */
  metricsUrls(): readonly string[];
  /** Standard output and error of all processes. */
  output(): string;
  stop(): Promise<number | null>;
  killTree(): Promise<void>;
}

export interface CanarySetUp {
  start(environment: Readonly<Record<string, string>>): Promise<CanaryService>;
  /** Stored data, read after the service has stopped. */
  topics(): Promise<Piece[]>;
  tables(): Promise<Piece[]>;
  /** All files of the set-up, and all other data of its servers. */
  rest(): Promise<Piece[]>;
  dispose(): Promise<void>;
}

const LOUD = { LOG_LEVEL: 'trace', FAULT_INJECTION: ways.FAULTS };
const FINAL_WITHIN_MS = 60_000;
/** On real servers an erasure waits a minute for requests in progress. */
const ERASED_WITHIN_MS = 150_000;

interface Seen {
  readonly request: string;
  readonly status: number;
  /** Headers and body. */
  readonly bytes: Buffer;
  readonly showsItself: boolean;
}

/** Raw text must not appear anywhere in clear, through any way in, whether it was accepted, rejected or failed. */
export function describeCanary(name: string, start: () => Promise<CanarySetUp>): void {
  describe(`raw text: ${name}`, () => {
    /** Raw text. */
    const marks = createMarks();
    /**
     * Text that its owner may read back (names, rules) or that is stored for searching (models): not in any log or
     * metric.
     */
    const named = createMarks();
    const answers: Seen[] = [];
    let setUp: CanarySetUp;
    let service: CanaryService;
    let customer: TestCustomer;
    let metrics = '';

    const call = async (request: ways.Request, key = customer.key): Promise<Seen> => {
      const { method = 'GET', path, headers = {}, body, showsItself = false } = request;
      const credentials: Record<string, string> = path.startsWith('/internal')
        ? { 'x-internal-secret': service.internalSecret }
        : { 'x-service-key': key };
      const response = await fetch(service.url + path, {
        method,
        headers: { ...credentials, ...headers },
        ...(body === undefined ? {} : { body }),
      });
      const head = JSON.stringify([...response.headers]);
      const bytes = Buffer.concat([Buffer.from(head), Buffer.from(await response.arrayBuffer())]);
      const seen = { request: `${method} ${path.slice(0, 40)}`, status: response.status, bytes, showsItself };
      answers.push(seen);
      return seen;
    };

    beforeAll(async () => {
      setUp = await start();
      service = await setUp.start(LOUD);
      customer = await newCustomer(service, named);
      await sendAll();
      await replayAll();
      await readAll();
      await eraseWhileBusy();
      metrics = await metricsOf(service);
      expect(await service.stop()).toBe(0);
    }, 330_000);
    afterAll(async () => {
      await service?.killTree();
      await setUp?.dispose();
    }, 60_000);

    /** Sends everything and waits until the accepted audits are final. */
    async function sendAll(): Promise<void> {
      const all = [
        ...ways.accepted(marks, named.of('model')),
        ...ways.refused(marks),
        ...ways.scans(marks),
        ...ways.addresses(marks),
        ...ways.signals(marks, customer.id),
      ];
      for (const request of all) await call(request);
      const auditor = { name: named.of('auditor'), permissions: ['READ_SIGNALS', 'READ_INCIDENTS'] };
      const made = await customer.client.request('POST', '/evidence/auditors', auditor);
      const { token } = made.body.data as unknown as { token: string };
      for (const request of ways.audited(marks, token)) await call(request);
      for (const text of ways.rawTexts(marks)) {
        const bytes = Buffer.from(await ways.sendRaw(service.url, text));
        answers.push({ request: 'invalid HTTP', status: 400, bytes, showsItself: false });
      }
      await allFinal(customer.client);
    }

    /** Replays dead letters of every stage, singly and together. */
    async function replayAll(): Promise<void> {
      const { data } = (await customer.client.request('GET', '/dead-letters')).body as unknown as {
        data: { id: string }[];
      };
      expect(data.length).toBeGreaterThanOrEqual(6);
      await call({ method: 'POST', path: `/dead-letters/${data[0]?.id}/replay` });
      const body = JSON.stringify({ filter: {} });
      await call({
        method: 'POST',
        path: '/dead-letters/replay',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await allFinal(customer.client);
    }

    async function readAll(): Promise<void> {
      for (const path of ways.READS) await call({ path });
    }

    /** Erases a customer while its audits are in flight: records that can no longer be opened become poison records. */
    async function eraseWhileBusy(): Promise<void> {
      const erased = await newCustomer(service, named);
      const requests = Array.from({ length: 20 }, () => ways.ingest(marks, 'emit-twice'));
      await Promise.all(requests.map((request) => call(request, erased.key)));
      await call({ method: 'DELETE', path: `/internal/customers/${erased.id}` });
      const internal = createClient(service.url, { 'x-internal-secret': service.internalSecret });
      await eventually('the customer is erased', ERASED_WITHIN_MS, async () => {
        const record = (await internal.request('GET', `/internal/customers/${erased.id}`)).body;
        return (record.erasure as unknown as { status: string }).status === 'COMPLETED' ? true : undefined;
      });
    }

    /** Where marks are found, each location once. */
    const locations = (pieces: readonly Piece[], which: Marks = marks): string[] => [
      ...new Set(
        pieces.flatMap(({ location, bytes }) => which.find(bytes).map((found) => `${found} in ${location}`)),
      ),
    ];

    test('is in no response except that of a scan', () => {
      expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(15);
      expect(answers.filter(({ status }) => status >= 400).length).toBeGreaterThan(50);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const pieces = answers
        .filter(({ showsItself }) => !showsItself)
        .map(({ request, status, bytes }) => ({ location: `${status} of ${request}`, bytes }));
      expect(locations(pieces)).toEqual([]);
      const [scan] = answers.filter(({ showsItself }) => showsItself);
      expect(marks.find(scan!.bytes)).toEqual(['scan as text']);
    });

    test('is in no log line at the most verbose level, and neither are names and rules', () => {
      const lines = service.output();
      expect(lines).toContain('"level":');
      const pieces = [{ location: 'log', bytes: Buffer.from(lines) }];
      expect([...locations(pieces), ...locations(pieces, named)]).toEqual([]);
    });

    test('is in no metric, and neither are names and rules', () => {
      expect(metrics).toContain('cas_http_request_duration_seconds_count');
      const pieces = [{ location: 'metrics', bytes: Buffer.from(metrics) }];
      expect([...locations(pieces), ...locations(pieces, named)]).toEqual([]);
    });

    test('is in no record of any topic', async () => {
      const pieces = await setUp.topics();
      expect(locations(pieces, named)).toContain(`model as text in topic ${TRIPLETS.name}`);
      expect(pieces.some(({ location }) => location === `topic ${DEAD_LETTERS.name}`)).toBe(true);
      expect(locations(pieces)).toEqual([]);
    });

    test('is in no column of any table', async () => {
      const pieces = await setUp.tables();
      expect(locations(pieces, named)).toContain('model as text in table signals');
      expect(locations(pieces)).toEqual([]);
    });

    test('is in no file, and nowhere else', async () => {
      const pieces = await setUp.rest();
      expect(locations(pieces, named).length).toBeGreaterThan(0);
      expect(locations(pieces)).toEqual([]);
    });
  });
}

async function newCustomer(service: CanaryService, named: Marks): Promise<TestCustomer> {
  const customer = await makeCustomer(service, named.of('name of a customer'));
  const body = {
    name: named.of('name of a sandbox'),
    slug: ways.SLUG,
    sandboxType: 'FULL_SPECTRUM',
    guardianAction: 'BLOCK_ON_DETECT',
    customRules: [named.of('rule'), `/${named.of('pattern')}.*/i`],
  };
  await customer.client.request('POST', '/sandboxes', body);
  return customer;
}

async function allFinal(client: Client): Promise<void> {
  await eventually('every audit is final', FINAL_WITHIN_MS, async () => {
    const reconciliation = (await client.request('GET', '/dashboard/books')).body as unknown as Record<
      string,
      number
    >;
    return reconciliation.accepted! > 0 &&
      reconciliation.inFlight === 0 &&
      reconciliation.retrying === 0 &&
      reconciliation.difference === 0
      ? true
      : undefined;
  });
}

async function metricsOf(service: CanaryService): Promise<string> {
  const texts = await Promise.all(
    service.metricsUrls().map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  return texts.join('\n');
}
