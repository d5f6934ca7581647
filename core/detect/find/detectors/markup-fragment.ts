import type { SearchDetector } from '../detector.ts';
import { markupScoreOf } from '../web/markup/judge.ts';
import { decodedValue } from '../web/requests/decode.ts';

/** Maximum length of a text that is checked as one piece of markup; pages and programs are longer. */
const MAX_FRAGMENT = 1_500;
/**
 * Plain or encoded markup starts the text, possibly after characters that close the surrounding context. "&lt;"
 * displays the sign without its effect.
 */
const STARTS = /^\s{0,4}[^\sA-Za-z]{0,12}\w{0,12}[^\sA-Za-z]{0,12}(?:<|%3c|\\x3c|\\u003c)/i;
const MIN = 0.55;

/** Short texts that consist entirely of markup that runs script, as sent to a form. */
export const markupFragment: SearchDetector = {
  name: 'markup-fragment',
  version: 1,
  search: (text) => {
    if (text.length > MAX_FRAGMENT || !STARTS.test(text)) return [];
    const plain = decodedValue(text, false);
    const confidence = Math.max(
      markupScoreOf(text, 'PAGE'),
      plain === text ? 0 : markupScoreOf(plain, 'PAGE'),
    );
    return confidence < MIN ? [] : [{ code: 'XSS', entity: null, start: 0, end: text.length, confidence }];
  },
};
