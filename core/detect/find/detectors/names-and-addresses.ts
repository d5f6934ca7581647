import type { Candidate, WholeDetector } from '../detector.ts';
import names from '../models/names.json' with { type: 'json' };
import { confidenceOf } from '../names/confidence.ts';
import { createNameRoom, findNames } from '../names/find-names.ts';
import type { NamedSpan } from '../names/guides/signs.ts';
import { decodeModel } from '../names/model.ts';
import { endOfPiece, PIECE } from '../names/pieces.ts';

/** Incremented with changes of the weights and of the rules about text that only looks like a name. */
const VERSION = 4;
const MODEL = decodeModel(names.model);
/** Shared buffers: a piece is finished before the next one starts, and leaves no state. */
const ROOM = createNameRoom(PIECE);

/**
 * Names of people and postal addresses, by a trained tagger (`tuning/training/names`). It knows Latin, Greek and
 * Cyrillic names best. In scripts without capitals it finds names only if the surrounding words indicate one.
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
