import type { State } from '../../../platform/state/port.ts';
import { LEDGER } from '../../../schemas/topics.ts';
import { SINK_TOPICS } from '../../sink/pipeline.ts';
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

/** The API, the analyzer's work and the sink's over one log in memory and the embedded engine. */
export interface BooksWorld {
  readonly real: RealWarehouse;
  readonly harness: Harness;
  /** Whose books are read; another one after `newCustomer`. */
  readonly customer: TestCustomer;
  newCustomer(): Promise<void>;
  ingest(number: number, key?: string): Promise<Answered>;
  batch(items: readonly unknown[], key?: string): Promise<Answered>;
  /** A signal that the platform made itself. */
  signal(auditId?: string): Promise<Answered>;
  analyse(): Promise<void>;
  /** Stores what the log holds and no more than that. */
  fold(): Promise<void>;
  books(): Promise<Answered['body']>;
  deleteRows(table: string, condition: string): Promise<void>;
  close(): Promise<void>;
}

export async function startBooksWorld(
  options: { readonly real?: RealWarehouse; readonly wrapState?: (state: State) => State } = {},
): Promise<BooksWorld> {
  const { real = await startRealWarehouse(), wrapState = (state) => state } = options;
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
  /** An answer does not wait for long for the log, and says so when it had no time. */
  const books = async (): Promise<Answered['body']> => {
    const { body } = await harness.call({ url: '/dashboard/books', headers: customer.headers });
    return body.freshness.lagSeconds === null ? books() : body;
  };
  return {
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
    analyse: analyzerOf(harness),
    fold: async () => {
      await harness.settled();
      // The ledger last, as it comes last; what matters is that none is left out.
      for (const topic of SINK_TOPICS) if (topic !== LEDGER.name) await sink.fold(topic);
      await sink.fold(LEDGER.name);
    },
    books,
    deleteRows: (table, condition) =>
      real.warehouse.command(`ALTER TABLE ${table} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`),
    close: async () => {
      await harness.close();
      await real.close();
    },
  };
}
