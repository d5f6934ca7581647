import type { VerifiedLedger } from '#records/ledger/verified-ledger.ts';

/** A request for verification. `mode` undefined: full while the ledger is short. */
export interface VerificationRequest {
  readonly mode?: 'full' | 'incremental' | 'range' | undefined;
  readonly fromIndex?: number | undefined;
  /** Inclusive. */
  readonly toIndex?: number | undefined;
}

/** Entries from `from` to `to`, both inclusive; `to` null: to the last entry. */
export interface PlannedPass {
  readonly from: number;
  readonly to: number | null;
}

/** Leaves of the smallest subtree with a stored root. Passes take whole subtrees, so that they can be compared. */
const BLOCK = 256;
/** Random blocks of an incremental verification: 1,024 entries. */
const SAMPLES = 4;
/** A longer ledger is not verified in full by default. */
const FULL_UP_TO = 200_000;

const blockOf = (index: number): PlannedPass => {
  const from = Math.floor(index / BLOCK) * BLOCK;
  return { from, to: from + BLOCK - 1 };
};

export const modeOf = ({ mode }: VerificationRequest, size: number): 'full' | 'incremental' | 'range' =>
  mode ?? (size <= FULL_UP_TO ? 'full' : 'incremental');

/** The range in whole blocks, or up to the last entry if it reaches that. */
export function rangePass({ fromIndex = 0, toIndex }: VerificationRequest, size: number): PlannedPass {
  const { to } = blockOf(toIndex ?? size);
  return { from: blockOf(fromIndex).from, to: to === null || to >= size - 1 ? null : to };
}

/**
 * New entries since the last verification, starting at the last signed entry; the block with the last known fault; and
 * random blocks before. `random`: at least 0, less than 1.
 */
export function incrementalPasses(
  verified: Pick<VerifiedLedger, 'size' | 'broken'>,
  { size, signedSize, random }: { size: number; signedSize: number; random: () => number },
): PlannedPass[] {
  // Shorter than what was verified: its end was cut off, so none of it is trusted.
  const known = verified.size > size ? 0 : Math.min(verified.size, signedSize);
  const tail = blockOf(Math.max(0, known - 1)).from;
  const blocks = new Set(Array.from({ length: SAMPLES }, () => Math.floor(random() * (tail / BLOCK))));
  if (verified.broken !== null) blocks.add(Math.floor(verified.broken / BLOCK));
  const before = [...blocks].filter((block) => block * BLOCK < tail).sort((one, other) => one - other);
  return [...before.map((block) => blockOf(block * BLOCK)), { from: tail, to: null }];
}
