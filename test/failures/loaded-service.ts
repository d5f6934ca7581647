import path from 'node:path';
import { afterAll, beforeAll, expect } from '#jest';
import { customerClient, makeCustomer, makeSandbox, type TestCustomer } from '../helpers/customer.ts';
import {
  type DistributedOptions,
  type DistributedService,
  startDistributed,
} from '../helpers/distributed.ts';
import { eventually } from '../helpers/eventually.ts';
import { expectNothingLost } from '../helpers/final-state.ts';
import { createLoad, type Load, startLoad } from '../helpers/load.ts';
import { startTestStack, type TestStack } from '../helpers/stack.ts';

const SLUG = 'real-failures';
/** The shortest session that a broker allows by default: a member silent for longer loses its partitions. */
export const SESSION_MS = 6_000;
const OF_TEST = { KAFKA_SESSION_TIMEOUT_MS: String(SESSION_MS) };
export const LIMIT_MS = 420_000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const readyBody = async (url: string): Promise<{ status: string }> =>
  (await fetch(`${url}/health/ready`)).json() as Promise<{ status: string }>;

/** Resolves when a process's readiness returns this status. */
export const turns = (one: { readonly url: string }, status: number, withinMs: number): Promise<unknown> =>
  eventually(`readiness turns ${status}`, withinMs, async () =>
    (await fetch(`${one.url}/health/ready`)).status === status ? true : undefined,
  );

/** One process per role on real servers, started before the tests of a file, with load while they run. */
export class LoadedService {
  stack!: TestStack;
  service!: DistributedService;
  options!: DistributedOptions;
  customer!: TestCustomer;
  load!: Load;

  constructor() {
    beforeAll(async () => {
      this.stack = await startTestStack();
      this.options = {
        settings: {
          ...this.stack.settings,
          ...OF_TEST,
          PACKAGES_DIR: path.join(this.stack.folder, 'packages'),
        },
      };
      this.service = await startDistributed(this.options);
    }, LIMIT_MS);
    afterAll(async () => {
      await this.service?.killTree();
      await this.stack?.stop();
    }, LIMIT_MS);
  }

  /** Sends load under a separate customer, with `trouble` in the middle. Ends when every request is answered. */
  async underLoad(name: string, trouble: () => Promise<void>): Promise<void> {
    this.customer = await makeCustomer(this.service, name);
    await makeSandbox(this.customer.client, SLUG);
    this.load = createLoad();
    await this.#whileLoading(async () => {
      await this.moreAccepted('load is on', 100);
      await trouble();
      await this.moreAccepted('load continues after the trouble', 100);
    });
  }

  /** Restarts the whole service and sends more load for the same customer. */
  async restart(): Promise<void> {
    this.service = await startDistributed(this.options);
    this.customer = { ...this.customer, client: customerClient(this.service.url, this.customer.key) };
    await this.#whileLoading(() => this.moreAccepted('load continues', 50));
  }

  async #whileLoading(work: () => Promise<void>): Promise<void> {
    const loading = startLoad(this.load, this.service.url, this.customer.key, SLUG);
    try {
      await work();
    } finally {
      await loading.stop();
    }
  }

  async moreAccepted(what: string, count: number): Promise<void> {
    const before = this.load.accepted.size;
    await eventually(what, 120_000, async () =>
      this.load.accepted.size >= before + count ? true : undefined,
    );
  }

  /**
   * Checks that nothing is lost, duplicated or dead-lettered, and that the chain has the signals and the two set-up
   * entries.
   */
  async expectWhole(): Promise<void> {
    const verification = await expectNothingLost(this.customer.client, this.load.accepted);
    expect(verification).toMatchObject({ status: 'VALID', treeSize: this.load.accepted.size + 2 });
  }
}
