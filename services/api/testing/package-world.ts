import type { PackageFiles } from '#platform/packages/port.ts';
import { entryMaker } from '#records/changes/entry-maker.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { PackageJobDependencies } from '../evidence/packages/package-rounds.ts';
import { type Answered, type Harness, internalHeaders, startHarness, type TestCustomer } from './harness.ts';
import { type RealWarehouse, startRealWarehouse } from './real-warehouse.ts';
import { sinkOf } from './sink-of.ts';

/** The API with its sink on the embedded engine, and packages in a separate folder. */
export interface PackageWorld {
  readonly real: RealWarehouse;
  readonly harness: Harness;
  readonly packages: PackageFiles;
  /** Dependencies of the job that makes packages. */
  jobs(changes?: Partial<PackageJobDependencies>): PackageJobDependencies;
  /** A customer with a sandbox `here` that names GDPR. */
  customer(plan?: 'DEV' | 'PRO'): Promise<TestCustomer>;
  /** Id of a stored signal. */
  signal(owner: TestCustomer, change?: object): Promise<string>;
  /** Stores everything written so far. */
  fold(): Promise<void>;
  send(
    owner: TestCustomer,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    payload?: object,
  ): Promise<Answered>;
  close(): Promise<void>;
}

/** `clock`: see `startHarness`. */
export async function startPackageWorld(clock?: () => number): Promise<PackageWorld> {
  const real = await startRealWarehouse();
  const harness = await startHarness({
    warehouse: real.warehouse,
    ...(clock === undefined ? {} : { clock }),
  });
  const packages = harness.dependencies.packages!;
  const sink = sinkOf(harness, real, 1);
  const fold = async (): Promise<void> => {
    await harness.settled();
    await sink.fold(LEDGER.name);
  };
  const world: PackageWorld = {
    real,
    harness,
    packages,
    jobs: (changes = {}) => ({
      ...harness.dependencies,
      packages,
      verifyPage: '<!doctype html>\n<title>The page</title>\n',
      makeEntry: entryMaker(harness.dependencies),
      stopping: new AbortController().signal,
      ...changes,
    }),
    customer: async (plan = 'PRO') => {
      const made = await harness.customer(plan);
      const payload = { name: 'S', slug: 'here', sandboxType: 'PII_DETECTION', regulations: ['GDPR'] };
      await harness.call({ method: 'POST', url: '/sandboxes', headers: made.headers, payload });
      return made;
    },
    signal: async (owner, change = {}) => {
      const payload = {
        customerId: owner.id,
        sandboxSlug: 'here',
        provider: 'openai',
        model: 'gpt-5',
        riskLevel: 'HIGH',
        violations: ['EMAIL', 'SSN'],
        reasoning: 'Found something.',
        ...change,
      };
      const request = { url: '/internal/signal', headers: internalHeaders, payload } as const;
      const { body } = await harness.call({ method: 'POST', ...request });
      return body.auditId as string;
    },
    fold,
    send: (owner, method, url, payload) =>
      harness.call({
        method,
        url: `/evidence${url}`,
        headers: owner.headers,
        ...(payload === undefined ? {} : { payload }),
      }),
    close: async () => {
      await harness.close();
      await real.close();
    },
  };
  return world;
}
