import { MAX_TRIPLET_BYTES } from '#schemas/api/audits.ts';

/** One triplet of a file, not yet parsed. */
export interface Item {
  /** Line of the file on which it starts, counted from 1. */
  readonly line: number;
  /** Null when it exceeds the limit of a triplet and was skipped. */
  readonly bytes: Buffer | null;
}

/** Splits a file that arrives in chunks, in order. */
export interface Splitter {
  push(chunk: Buffer): Iterable<Item>;
  /** Called at the end of the file. */
  end(): Iterable<Item>;
}

/** The file is malformed. */
export class BrokenFile extends Error {
  constructor(line: number, what: string) {
    super(`Line ${line}: ${what}`);
    this.name = 'BrokenFile';
  }
}

/** White space in JSON. */
export const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

interface Gathering {
  add(piece: Buffer): void;
  /** The bytes added since the last call; null when they exceed the limit of a triplet. */
  take(): Buffer | null;
}

/** Joins an item that spans several chunks; an item that grows too large is not kept. */
export function gathering(): Gathering {
  let pieces: Buffer[] = [];
  let bytes = 0;
  return {
    add: (piece) => {
      bytes += piece.length;
      if (bytes <= MAX_TRIPLET_BYTES) pieces.push(piece);
      else pieces = [];
    },
    take: () => {
      const joined = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      const fits = bytes <= MAX_TRIPLET_BYTES;
      pieces = [];
      bytes = 0;
      return fits ? joined : null;
    },
  };
}
