import type { LocalServer } from '../../deploy/local/server/local-server.ts';

/** Passed from a run's global set-up to its tear-down, which jest loads separately. */
export interface ServerSet {
  readonly folder: string;
  readonly servers: readonly LocalServer[];
}

const KEY = Symbol.for('cas.test.real-servers');
const held = globalThis as unknown as Record<symbol, ServerSet | undefined>;

export const holdServerSet = (set: ServerSet | undefined): void => {
  held[KEY] = set;
};
export const heldServerSet = (): ServerSet | undefined => held[KEY];
