/** `UNKNOWN`: nothing is known of these words. */
export type TagType = 'PERSON' | 'ADDRESS' | 'ORGANIZATION' | 'PLACE' | 'UNKNOWN';

/** A part of a text with what it is. */
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
   * True when it is only known that no name and no address is in it (except in `spans`); what else its words are is
   * left open.
   */
  readonly isWeak: boolean;
  /** All persons are labelled, although the rest is not. */
  readonly areLabelled?: boolean;
}

/** Builds a text piece by piece and records where the labelled ones are. */
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
