import type { AddressInfo } from 'node:net';
import { sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { LEDGER, SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import type { ApiDependencies } from '../../../operations/dependencies.ts';
import { type Harness, startHarness, type TestCustomer } from '../../../testing/harness.ts';
import { type RealWarehouse, startRealWarehouse } from '../../../testing/real-warehouse.ts';
import { type Downloaded, download } from './download.ts';

export const SLUG = 'support-chat';

/** The API on a real warehouse, listening on a socket, with a customer and a sandbox. */
export interface ExportWorld {
  readonly real: RealWarehouse;
  readonly harness: Harness;
  readonly url: string;
  readonly customer: TestCustomer;
  readonly sandboxId: string;
  /** Stores signals at the end of the customer's ledger, one per change. */
  store(changes: readonly Partial<SignalRow>[]): Promise<SignalRow[]>;
  /** Empties the tables. */
  clear(): Promise<void>;
  get(path: string, method?: string): Promise<Downloaded>;
  close(): Promise<void>;
}

export async function startExportWorld(dependencies: Partial<ApiDependencies> = {}): Promise<ExportWorld> {
  const real = await startRealWarehouse();
  const harness = await startHarness({ warehouse: real.warehouse, dependencies });
  await harness.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = harness.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const customer = await harness.customer();
  const sandbox = await harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: customer.headers,
    payload: { name: 'Support', slug: SLUG, sandboxType: 'FULL_SPECTRUM' },
  });
  await harness.settled();
  const sandboxId = sandbox.body.id as string;
  let stored = 0;
  return {
    real,
    harness,
    url,
    customer,
    sandboxId,
    store: async (changes) => {
      const first = stored;
      stored += changes.length;
      const drafts = Array.from({ length: stored }, (_, index) => ({
        ...sampleDraft(index, 'SIGNAL', { ...sampleCore(index), sandboxId, sandboxSlug: SLUG }),
        customerId: customer.id,
      }));
      const rows = storedRows(drafts);
      const signals = changes.map((change, index) => ({ ...rows.signals[first + index]!, ...change }));
      const ledger = rows.ledger
        .slice(first)
        .map((row, index) => ({ ...row, at: signals[index]!.createdAt }));
      await real.insert(SIGNALS, signals);
      await real.insert(LEDGER, ledger);
      return signals;
    },
    clear: async () => {
      stored = 0;
      await real.clear();
    },
    get: (path, method) => download(url + path, customer.headers, method),
    close: async () => {
      await harness.close();
      await real.close();
    },
  };
}
