import type { TermDetector } from '../detector.ts';
import words from '../lists/seed-phrase.json' with { type: 'json' };

/** Names for the words that restore a wallet. */
const CUES = words.cues;

/** How far after the cue the first word may start. */
const REACH = 100;
/** Maximum length of a phrase of 24 words, each with up to eight letters, a number and separators. */
const LONGEST = 24 * 16;
/** Lengths of a phrase (BIP-39): 12, 15, 18, 21 or 24 words of three to eight letters. */
const FEWEST = 12;
const MAX_WORDS = 24;

const WORD = /(?:\d{1,2}[.):]\s?)?([a-z]{3,8})(?![\p{L}\d'])/uy;
const BETWEEN = /[\s,|"'-]{1,6}/y;
/** Common words that are not in the BIP-39 list; most sentences soon contain one of them. */
const NO_SEED_WORDS = new Set(words.noSeedWords);

/** End of a run of seed words that starts at `start`; -1 if there are too few of them. */
function endOfRow(text: string, start: number): number {
  let at = start;
  let end = -1;
  let count = 0;
  while (count < MAX_WORDS) {
    WORD.lastIndex = at;
    const word = WORD.exec(text);
    if (word === null || NO_SEED_WORDS.has(word[1]!)) break;
    count++;
    end = at + word[0].length;
    BETWEEN.lastIndex = end;
    const gap = BETWEEN.exec(text);
    if (gap === null) break;
    at = end + gap[0].length;
  }
  return count >= FEWEST ? end : -1;
}

/** A wallet's recovery phrase: a run of words without function words, after a name for it. */
export const seedPhrase: TermDetector = {
  name: 'seed-phrase',
  version: 1,
  terms: CUES,
  visitor: (text, push) => {
    let done = 0;
    return (_term, _start, cueEnd) => {
      let at = Math.max(cueEnd, done);
      const limit = Math.min(cueEnd + REACH, text.length - FEWEST * 3);
      while (at < limit) {
        const end = endOfRow(text, at);
        if (end !== -1 && end - at <= LONGEST) {
          push({ code: 'SECRET_LEAK', entity: 'PASSWORD', start: at, end, confidence: 0.85 });
          done = end;
          return;
        }
        // Skips to the next word.
        while (at < limit && !/[\s"':,]/.test(text[at]!)) at++;
        while (at < limit && /[\s"':,]/.test(text[at]!)) at++;
      }
      done = Math.max(done, at);
    };
  },
};
