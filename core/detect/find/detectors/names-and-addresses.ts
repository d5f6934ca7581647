import type { Candidate, WholeDetector } from '../detector.ts';
import names from '../models/names.json' with { type: 'json' };
import { confidenceOf } from '../names/confidence.ts';
import { createNameRoom, findNames } from '../names/find-names.ts';
import type { NamedSpan } from '../names/guides/signs.ts';
import { decodeModel } from '../names/model.ts';
import { endOfPiece, PIECE } from '../names/pieces.ts';

/** Raised with the weights and with the rules about what only looks like a name. */
const VERSION = 4;
const MODEL = decodeModel(names.model);
/** For the current piece: a piece is finished before the next one begins, and leaves nothing behind. */
const ROOM = createNameRoom(PIECE);

/**
 * Names of persons and postal addresses, by a trained tagger (`tuning/training/names`). Knows Latin, Greek and Cyrillic
 * names best; names in scripts without capitals only where the words around them indicate one.
 */
export const namesAndAddresses: WholeDetector = {
  name: 'names-and-addresses',
  version: VERSION,
  searchWhole: (text) => {
    const found: Candidate[] = [];
    for (let from = 0; from < text.length; ) {
      const until = endOfPiece(text, from);
      const push = (span: NamedSpan): void => {
        const { entity, start, end } = span;
        const confidence = confidenceOf(span, text);
        if (confidence > 0) found.push({ code: 'PII_LEAK', entity, start, end, confidence });
      };
      findNames(text, from, until, MODEL, push, ROOM);
      from = until;
    }
    return found;
  },
};
