import type { State } from '#platform/state/port.ts';
import { LEDGER } from '#schemas/topics.ts';
import { SINK_TOPICS } from '#services/sink/start/sink-topics.ts';
import { analyzerOf } from './analyzer-of.ts';
import { type Answered, type Harness, internalHeaders, startHarness, type TestCustomer } from './harness.ts';
import { type RealWarehouse, startRealWarehouse } from './real-warehouse.ts';
import { sinkOf } from './sink-of.ts';

const SLUG = 'support-chat';

export const triplet = (number: number) => ({
  sandboxSlug: SLUG,
  provider: 'openai',
  model: 'gpt-5',
  prompt: `Write to jane.roe${number}@example.org`,
  response: 'Done.',
});

/** The API, the analyzer and the sink on one log in memory and the embedded engine. */
export interface ReconciliationWorld {
  readonly real: RealWarehouse;
  readonly harness: Harness;
  /** The customer whose reconciliation is read; a new one after `newCustomer`. */
  readonly customer: TestCustomer;
  newCustomer(): Promise<void>;
  ingest(number: number, key?: string): Promise<Answered>;
  batch(items: readonly unknown[], key?: string): Promise<Answered>;
  /** A signal of the platform. */
  signal(auditId?: string): Promise<Answered>;
  /** Ingests and returns the audit's id; throws unless answered with 202. */
  accept(number: number, key?: string): Promise<string>;
  /** Six audits, two of each kind of request, analysed and stored; returns their ids. */
  history(): Promise<string[]>;
  analyse(): Promise<void>;
  /** Stores only what the log holds. */
  fold(): Promise<void>;
  reconciliation(): Promise<Answered['body']>;
  deleteRows(table: string, condition: string): Promise<void>;
  close(): Promise<void>;
}

export async function startReconciliationWorld(
  options: { readonly wrapState?: (state: State) => State } = {},
): Promise<ReconciliationWorld> {
  const { wrapState = (state) => state } = options;
  const real = await startRealWarehouse();
  const harness = await startHarness({ warehouse: real.warehouse, wrapState });
  let customer = await harness.customer();
  const sink = sinkOf(harness, real, 1);
  const post = (url: string, payload: object, key?: string, headers = customer.headers) =>
    harness.call({
      method: 'POST',
      url,
      headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      payload,
    });
  /** An answer waits only briefly for the log, and reports when it ran out of time. */
  const reconciliation = async (): Promise<Answered['body']> => {
    const { body } = await harness.call({ url: '/dashboard/books', headers: customer.headers });
    return body.freshness.lagSeconds === null ? reconciliation() : body;
  };
  const world: ReconciliationWorld = {
    real,
    harness,
    get customer() {
      return customer;
    },
    newCustomer: async () => {
      customer = await harness.customer();
      await post('/sandboxes', { name: 'Support', slug: SLUG, sandboxType: 'FULL_SPECTRUM' });
    },
    ingest: (number, key) => post('/audit/ingest', triplet(number), key),
    batch: (items, key) => post('/audit/ingest/batch', items, key),
    signal: (auditId) => {
      const { sandboxSlug, provider, model } = triplet(0);
      const made = {
        customerId: customer.id,
        sandboxSlug,
        provider,
        model,
        riskLevel: 'LOW',
        violations: [],
      };
      return post(
        '/internal/signal',
        { ...made, auditId, reasoning: 'Nothing was found.' },
        undefined,
        internalHeaders,
      );
    },
    accept: async (number, key) => {
      const { status, body } = await world.ingest(number, key);
      if (status !== 202) throw new Error(`an ingest was answered with ${status}`);
      return body.auditId;
    },
    history: async () => {
      const ids = [await world.accept(1), await world.accept(2, 'two')];
      const batches = [await world.batch([triplet(3)]), await world.batch([triplet(4)], 'four')];
      const signals = [await world.signal(), await world.signal()];
      await world.analyse();
      await world.fold();
      return [
        ...ids,
        ...batches.map(({ body }) => body.data[0].auditId),
        ...signals.map(({ body }) => body.auditId),
      ];
    },
    analyse: analyzerOf(harness),
    fold: async () => {
      await harness.settled();
      // The ledger last; no topic may be left out.
      for (const topic of SINK_TOPICS) if (topic !== LEDGER.name) await sink.fold(topic);
      await sink.fold(LEDGER.name);
    },
    reconciliation,
    deleteRows: (table, condition) =>
      real.warehouse.command(`ALTER TABLE ${table} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`),
    close: async () => {
      await harness.close();
      await real.close();
    },
  };
  return world;
}
