import type { Candidate, SearchDetector } from '../detector.ts';
import { isStatementOrSentence } from '../web/sentences.ts';
import { bareScoreOf, PROSE, weighSql } from '../web/sql-fingerprints.ts';
import { tokensOfWindow } from '../web/sql-tokens.ts';
import { confidenceOf } from '../web/traits.ts';
import { windowOf } from '../web/window.ts';

/** Maximum length of a text that may be the content of one form field. */
const MAX_FIELD = 400;
const MIN_FIELD = 3;

/** Every fragment contains one of these; most sentences contain none. */
const MARK = /--|\/\*|#|union|select|;|\bor\b|\band\b|case|["'`%=|(]|order|group|having|into/i;
function findIn(text: string): Candidate[] {
  if (!MARK.test(text)) return [];
  const window = windowOf(text, 0, text.length);
  if (isStatementOrSentence(window.plain)) return [];
  const { kinds } = tokensOfWindow(window);
  if (PROSE.test(kinds)) return [];
  const score = bareScoreOf(kinds) + Math.max(0, weighSql(kinds).score);
  const confidence = confidenceOf(score);
  return confidence === 0
    ? []
    : [{ code: 'CODE_INJECTION', entity: null, start: 0, end: text.length, confidence }];
}

/**
 * Short texts that consist entirely of an SQL fragment, as in a form field. Inside a longer text, the same characters
 * ("1--") would mean nothing.
 */
export const sqlFragment: SearchDetector = {
  name: 'sql-fragment',
  version: 2,
  search: (text) => (text.length > MAX_FIELD || text.trim().length < MIN_FIELD ? [] : findIn(text)),
};
