import { type Harness, startHarness, type TestCustomer } from './harness.ts';
import { type RealWarehouse, startRealWarehouse } from './real-warehouse.ts';

/** The API on the embedded engine, with one customer and one sandbox. */
export interface StoredWorld {
  readonly real: RealWarehouse;
  readonly harness: Harness;
  readonly customer: TestCustomer;
  /** Id of the sandbox `support-chat`. */
  readonly sandboxId: string;
  close(): Promise<void>;
}

export async function startStoredWorld(): Promise<StoredWorld> {
  const real = await startRealWarehouse();
  const harness = await startHarness({ warehouse: real.warehouse });
  const customer = await harness.customer();
  const { body } = await harness.call({
    method: 'POST',
    url: '/sandboxes',
    headers: customer.headers,
    payload: { name: 'Support', slug: 'support-chat', sandboxType: 'FULL_SPECTRUM' },
  });
  return {
    real,
    harness,
    customer,
    sandboxId: body.id,
    close: async () => {
      await harness.close();
      await real.close();
    },
  };
}
