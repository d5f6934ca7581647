import type { Candidate, WholeDetector } from '../detector.ts';
import { NAMES_MODEL, NAMES_MODEL_VERSION } from '../models/names.ts';
import { confidenceOf } from '../names/confidence.ts';
import { findNames } from '../names/find-names.ts';
import { decodeModel } from '../names/model.ts';
import { endOfPiece } from '../names/pieces.ts';

const MODEL = decodeModel(NAMES_MODEL);

/**
 * Names of persons and postal addresses, by a tagger that learned them (`tuning/training/names`). Knows Latin, Greek and
 * Cyrillic names best; names in scripts without capitals only where the words around them say so.
 */
export const namesAndAddresses: WholeDetector = {
  name: 'names-and-addresses',
  version: NAMES_MODEL_VERSION,
  *searchInSteps(text) {
    const found: Candidate[] = [];
    for (let from = 0; from < text.length; ) {
      const until = endOfPiece(text, from);
      findNames(text, from, until, MODEL, (span) => {
        const { entity, start, end } = span;
        const confidence = confidenceOf(span, text);
        if (confidence > 0) found.push({ code: 'PII_LEAK', entity, start, end, confidence });
      });
      from = until;
      if (from < text.length) yield;
    }
    return found;
  },
};
