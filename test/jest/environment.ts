import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { rememberProcess } from './process-state.ts';

/** Before a test replaces it. */
const { setImmediate } = globalThis;

/** The process itself, restored to its previous state after each test file. */
export default class NativeEnvironment implements JestEnvironment {
  readonly global = globalThis as JestEnvironment['global'];
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly #restoreProcess = rememberProcess();

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext(): null {
    return null;
  }

  async setup(): Promise<void> {}

  /**
   * An unhandled rejection is reported one turn later. Without that turn, one from the last test would end the worker.
   */
  async handleTestEvent({ name }: { readonly name: string }): Promise<void> {
    if (name === 'run_describe_finish') await new Promise((resolve) => setImmediate(resolve));
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    this.#restoreProcess();
  }
}
