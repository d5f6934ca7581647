/** Assembles a long text piece by piece. */
interface TextWriter {
  add(piece: string): void;
  text(): string;
}

/** Pieces that are joined at a time: joining millions of pieces at once would block for long. */
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
