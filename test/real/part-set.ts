import type { LocalPart } from '../../deploy/local/local-part.ts';

/** What the global set-up of a run leaves for its tear-down, which jest loads by itself. */
export interface PartSet {
  readonly folder: string;
  readonly parts: readonly LocalPart[];
}

const KEY = Symbol.for('cas.test.real-parts');
const held = globalThis as unknown as Record<symbol, PartSet | undefined>;

export const holdPartSet = (set: PartSet | undefined): void => {
  held[KEY] = set;
};
export const heldPartSet = (): PartSet | undefined => held[KEY];
