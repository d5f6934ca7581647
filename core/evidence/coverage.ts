/** A range of a ledger's entries that was re-hashed, and when: basis of a verification's `coverage`. */
export interface CheckedPiece {
  /** Entries from `from` (inclusive) to `to` (exclusive). */
  readonly from: number;
  readonly to: number;
  /** Unix ms. */
  readonly at: number;
}

const DAY_MS = 86_400_000;
/** Pieces kept per ledger; adjacent ones of about the same time are merged. */
const MAX_PIECES = 64;
const SAME_TIME_MS = 3_600_000;

/** Adds a piece, which replaces what it covers; drops pieces older than a day. */
export function withPiece(pieces: readonly CheckedPiece[], newer: CheckedPiece): CheckedPiece[] {
  if (newer.to <= newer.from) return [...pieces];
  const left = pieces
    .filter(({ at }) => newer.at - at < DAY_MS)
    .flatMap(({ from, to, at }) => [
      { from, to: Math.min(to, newer.from), at },
      { from: Math.max(from, newer.to), to, at },
    ])
    .filter(({ from, to }) => to > from);
  const joined: CheckedPiece[] = [];
  for (const piece of [...left, newer].sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    const isNext = last?.to === piece.from && Math.abs(last.at - piece.at) < SAME_TIME_MS;
    if (last === undefined || !isNext) joined.push(piece);
    else joined[joined.length - 1] = { from: last.from, to: piece.to, at: Math.min(last.at, piece.at) };
  }
  // Understating the coverage is acceptable; overstating it is not.
  return joined
    .toSorted((one, other) => other.to - other.from - (one.to - one.from))
    .slice(0, MAX_PIECES)
    .sort((one, other) => one.from - other.from);
}

/** Share of the first `size` entries re-hashed in the day before `now`; 1 if `size` is 0. */
export function coverageOf(pieces: readonly CheckedPiece[], size: number, now: number): number {
  if (size === 0) return 1;
  const lately = pieces.filter(({ at }) => now - at < DAY_MS);
  const covered = lately.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, size) - from), 0);
  return Math.min(1, covered / size);
}
