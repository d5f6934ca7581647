/** Passed from a run's global set-up to its tear-down, which jest loads separately. */
const KEY = Symbol.for('cas.test.in-memory');
const globals = globalThis as unknown as Record<symbol, string | undefined>;

export const rememberFolder = (folder: string | undefined): void => {
  globals[KEY] = folder;
};
export const rememberedFolder = (): string | undefined => globals[KEY];
