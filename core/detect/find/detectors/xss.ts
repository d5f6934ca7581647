import type { TermDetector } from '../detector.ts';
import words from '../lists/xss.json' with { type: 'json' };
import { weighMarkup } from '../web/markup-traits.ts';
import { confidenceOf } from '../web/traits.ts';
import { windowOf } from '../web/window.ts';

const BEFORE = 100;
const AFTER = 280;
/** Terms this close after a checked offset were covered by that check. */
const STRIDE = 140;

/** Names of dialog functions, which are ordinary words unless a call follows. */
const BOXES = words.boxes;
const TERMS = [...BOXES, ...words.terms];

const CALL_FOLLOWS = /[\s)\]'"`/*]{0,4}(?:[(`[]|\?\.|&|%|\\|\.(?:call|apply|bind)|\/\*)/y;

/**
 * Script injected into a page: handlers, script elements and URLs with a payload, markup that breaks out of its
 * context.
 */
export const xss: TermDetector = {
  name: 'xss',
  version: 2,
  terms: TERMS,
  visitor: (text, push) => {
    let done = 0;
    let checked = 0;
    return (term, start, end) => {
      if (start < done || start < checked) return;
      if (term < BOXES.length) {
        CALL_FOLLOWS.lastIndex = end;
        if (!CALL_FOLLOWS.test(text)) return;
      }
      checked = start + STRIDE;
      const window = windowOf(text, start - BEFORE, start + AFTER);
      const { score, start: first, end: last } = weighMarkup(window.plain);
      const confidence = confidenceOf(score);
      if (confidence === 0) return;
      const from = Math.max(window.offsetOf(first), done);
      const until = window.offsetOf(last);
      if (until <= from) return;
      push({ code: 'XSS', entity: null, start: from, end: until, confidence });
      done = until;
    };
  },
};
