/** `UNKNOWN`: nothing is known about these words. */
export type TagType = 'PERSON' | 'ADDRESS' | 'ORGANIZATION' | 'PLACE' | 'UNKNOWN';

/** A part of a text with its type. */
export interface TaggedSpan {
  readonly type: TagType;
  readonly start: number;
  readonly end: number;
}

/** A text to train on. */
export interface TaggedText {
  readonly text: string;
  readonly spans: readonly TaggedSpan[];
  /**
   * True if it is only known that the text contains no names or addresses (except in `spans`); what its other words are
   * is open.
   */
  readonly isWeak: boolean;
  /** All persons are labelled, although the rest is not. */
  readonly areLabelled?: boolean;
}

/** Builds a text piece by piece and records the spans of the labelled pieces. */
export function createWriter(): {
  readonly add: (piece: string, type?: TagType) => void;
  readonly finish: () => TaggedText;
} {
  const pieces: string[] = [];
  const spans: TaggedSpan[] = [];
  let length = 0;
  return {
    add: (piece, type) => {
      if (type !== undefined) spans.push({ type, start: length, end: length + piece.length });
      pieces.push(piece);
      length += piece.length;
    },
    finish: () => ({ text: pieces.join(''), spans, isWeak: false }),
  };
}
