/** Passed from a run's global set-up to its tear-down, which jest loads separately. */
const KEY = Symbol.for('cas.test.in-memory');
const held = globalThis as unknown as Record<symbol, string | undefined>;

export const holdFolder = (folder: string | undefined): void => {
  held[KEY] = folder;
};
export const heldFolder = (): string | undefined => held[KEY];
