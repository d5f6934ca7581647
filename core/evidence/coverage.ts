/** Which entries of a ledger were re-hashed, and when: what a verification's `coverage` says. */
export interface CheckedPiece {
  /** Entries from `from` up to, and without, `to`. */
  readonly from: number;
  readonly to: number;
  /** Unix ms. */
  readonly at: number;
}

const DAY_MS = 86_400_000;
/** Pieces that are remembered of a ledger; neighbours of about the same time are one. */
const MAX_PIECES = 64;
const SAME_TIME_MS = 3_600_000;

/** The pieces with a newer one, which takes the place of what it covers; those older than a day are gone. */
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
  // To say too little is no fault; to say too much would be one.
  return joined
    .toSorted((one, other) => other.to - other.from - (one.to - one.from))
    .slice(0, MAX_PIECES)
    .sort((one, other) => one.from - other.from);
}

/** Share of the first `size` entries that was re-hashed in the day before `now`; 1 of nothing. */
export function coverageOf(pieces: readonly CheckedPiece[], size: number, now: number): number {
  if (size === 0) return 1;
  const lately = pieces.filter(({ at }) => now - at < DAY_MS);
  const covered = lately.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, size) - from), 0);
  return Math.min(1, covered / size);
}
