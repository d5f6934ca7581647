/** Puts a long text together piece by piece. */
export interface TextWriter {
  add(piece: string): void;
  text(): string;
}

/** Pieces that are joined at a time: a join of millions of pieces would be one long stretch of work. */
const PIECES = 4_096;

export function textWriter(): TextWriter {
  const joined: string[] = [];
  let pieces: string[] = [];
  return {
    add: (piece) => {
      if (pieces.push(piece) < PIECES) return;
      joined.push(pieces.join(''));
      pieces = [];
    },
    text: () => [...joined, ...pieces].join(''),
  };
}
