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
/** The shortest that a broker allows by default: a member that is silent for longer loses its partitions. */
export const SESSION_MS = 6_000;
const OF_TEST = { KAFKA_SESSION_TIMEOUT_MS: String(SESSION_MS) };
export const LIMIT_MS = 420_000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const readyBody = async (url: string): Promise<{ status: string }> =>
  (await fetch(`${url}/health/ready`)).json() as Promise<{ status: string }>;

/** Resolves when a process answers its readiness with this status. */
export const turns = (one: { readonly url: string }, status: number, withinMs: number): Promise<unknown> =>
  eventually(`readiness turns ${status}`, withinMs, async () =>
    (await fetch(`${one.url}/health/ready`)).status === status ? true : undefined,
  );

/** One process per role on real servers, started before the tests of a file, with load that is sent while they run. */
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

  /** Load under a customer of its own, with `trouble` in the middle. Ends when everything that was sent is answered. */
  async underLoad(name: string, trouble: () => Promise<void>): Promise<void> {
    this.customer = await makeCustomer(this.service, name);
    await makeSandbox(this.customer.client, SLUG);
    this.load = createLoad();
    await this.#whileLoading(async () => {
      await this.moreAccepted('load is on', 100);
      await trouble();
      await this.moreAccepted('load goes on after the trouble', 100);
    });
  }

  /** The whole service started anew, and more load for the same customer. */
  async startAnew(): Promise<void> {
    this.service = await startDistributed(this.options);
    this.customer = { ...this.customer, client: customerClient(this.service.url, this.customer.key) };
    await this.#whileLoading(() => this.moreAccepted('it goes on', 50));
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

  /** Nothing lost, doubled or dead-lettered, and the chain holds the signals and the two entries of the set-up. */
  async expectWhole(): Promise<void> {
    const verification = await expectNothingLost(this.customer.client, this.load.accepted);
    expect(verification).toMatchObject({ status: 'VALID', treeSize: this.load.accepted.size + 2 });
  }
}
