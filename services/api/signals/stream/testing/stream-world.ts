import type { AddressInfo } from 'node:net';
import { sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { type Warehouse, WarehouseUnavailable } from '#platform/warehouse/port.ts';
import { LEDGER as LEDGER_TABLE, LOG_EPOCHS, SIGNALS } from '#schemas/tables/tables.ts';
import { LEDGER, SIGNALS as SIGNALS_TOPIC } from '#schemas/topics.ts';
import { type Harness, internalHeaders, startHarness, type TestCustomer } from '../../../testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '../../../testing/real-warehouse.ts';
import { sinkOf } from '../../../testing/sink-of.ts';
import { type OpenedStream, openStream, type SeenEvent } from './event-stream.ts';

export const EPOCH = 1;

/** The API on real sockets and the embedded engine; the sink stores and reports on the test's command. */
export class StreamWorld {
  readonly harness: Harness;
  readonly real: RealWarehouse;
  readonly base: string;
  /** Whether the API's reads of the warehouse fail. */
  isDown = false;
  readonly #sink: ReturnType<typeof sinkOf>;
  readonly #streams: OpenedStream[] = [];

  private constructor(harness: Harness, real: RealWarehouse, base: string) {
    this.harness = harness;
    this.real = real;
    this.base = base;
    this.#sink = sinkOf(harness, real, EPOCH);
  }

  static async start(): Promise<StreamWorld> {
    const real = await startRealWarehouse();
    await real.insert(LOG_EPOCHS, [{ epoch: EPOCH, setUp: 'tests', at: '2026-11-01T00:00:00.000Z' }]);
    let world: StreamWorld | null = null;
    const query = ((...asked) =>
      world?.isDown
        ? Promise.reject(new WarehouseUnavailable('tests', null))
        : real.warehouse.query(...asked)) as Warehouse['query'];
    const harness = await startHarness({ warehouse: { ...real.warehouse, query } });
    await harness.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = harness.app.server.address() as AddressInfo;
    world = new StreamWorld(harness, real, `http://127.0.0.1:${port}`);
    return world;
  }

  async close(): Promise<void> {
    await this.harness.close();
    await this.real.close();
  }

  /** Disconnects the clients. */
  leave(): void {
    for (const stream of this.#streams.splice(0)) stream.close();
  }

  async customerWithSandbox(): Promise<TestCustomer> {
    const customer = await this.harness.customer();
    const payload = { name: 'Support', slug: 'support-chat', sandboxType: 'FULL_SPECTRUM' };
    await this.harness.call({ method: 'POST', url: '/sandboxes', headers: customer.headers, payload });
    await this.harness.settled();
    return customer;
  }

  /** Reports signals to the API; the next `fold` stores them. */
  async hand({ id: customerId }: TestCustomer, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const payload = {
        customerId,
        sandboxSlug: 'support-chat',
        provider: 'openai',
        model: 'gpt-5',
        riskLevel: 'HIGH',
        violations: ['EMAIL'],
        reasoning: `signal ${n}`,
      };
      const request = { method: 'POST', url: '/internal/signal', headers: internalHeaders, payload } as const;
      ids.push((await this.harness.call(request)).body.auditId);
    }
    return ids;
  }

  fold(): Promise<void> {
    return this.#sink.fold(LEDGER.name);
  }

  async store(customer: TestCustomer, count: number): Promise<string[]> {
    const ids = await this.hand(customer, count);
    await this.fold();
    return ids;
  }

  /** A ledger that is stored piece by piece, faster than by a sink. */
  ledgerOf(customer: TestCustomer, size: number) {
    const { real, harness } = this;
    const rows = storedRows(
      Array.from({ length: size }, (_, index) => ({
        ...sampleDraft(index, 'SIGNAL', sampleCore(index)),
        customerId: customer.id,
      })),
    );
    let stored = 0;
    return {
      ids: rows.signals.map(({ auditId }) => auditId),
      store: async (count: number): Promise<void> => {
        const first = stored;
        stored += count;
        await real.insert(SIGNALS, rows.signals.slice(first, stored));
        await real.insert(LEDGER_TABLE, rows.ledger.slice(first, stored));
        const range = { first: `${first}`, last: `${stored - 1}`, epoch: `${rows.ledger[first]!.epoch}` };
        const headers = { ...range, others: '0', schema: '' };
        const record = { topic: SIGNALS_TOPIC.name, key: customer.id, value: Buffer.alloc(0), headers };
        await harness.log.append([record]);
      },
    };
  }

  async open(
    { headers }: Pick<TestCustomer, 'headers'>,
    lastEventId?: string,
    query = '',
  ): Promise<OpenedStream> {
    const more = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const stream = await openStream(`${this.base}/dashboard/stream${query}`, { ...headers, ...more });
    this.#streams.push(stream);
    return stream;
  }
}

export const is = (name: string) => (seen: SeenEvent) => seen.event === name;
export const signalsOf = ({ events }: OpenedStream): SeenEvent[] => events.filter(is('signal'));
export const idsOf = (stream: OpenedStream): string[] => signalsOf(stream).map(({ data }) => data.auditId);
export const has = (stream: OpenedStream, count: number): Promise<SeenEvent> =>
  stream.until(() => signalsOf(stream).length >= count);
