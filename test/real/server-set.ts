import type { LocalServer } from '../../deploy/local/server/local-server.ts';

/** Passed from a run's global set-up to its tear-down, which jest loads separately. */
export interface ServerSet {
  readonly folder: string;
  readonly servers: readonly LocalServer[];
}

const KEY = Symbol.for('cas.test.real-servers');
const globals = globalThis as unknown as Record<symbol, ServerSet | undefined>;

export const rememberServerSet = (set: ServerSet | undefined): void => {
  globals[KEY] = set;
};
export const rememberedServerSet = (): ServerSet | undefined => globals[KEY];
