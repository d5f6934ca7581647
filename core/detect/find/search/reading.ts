import type { HiddenText } from '../../read/decode/decoder.ts';
import { hiddenTexts } from '../../read/decode/hidden-texts.ts';
import { signsIn } from '../../read/decode/signs.ts';
import type { SourceText, TextSource } from '../../read/texts.ts';
import type { TextTraits } from '../detector.ts';
import { type LibraryCalls, libraryCalls } from '../library-calls.ts';
import type { Match } from '../match.ts';

/**
 * Which detectors search a reading. A text with escape sequences has two readings. Values are searched for in the
 * unescaped text, attacks in the original: a text that merely shows an attack in escaped form is not one.
 */
type Searched = 'ALL' | 'VALUES' | 'PHRASES';

/** A text that detectors search, with its matches so far: an original text, or one hidden in another. */
export interface Reading {
  readonly source: TextSource;
  readonly text: string;
  readonly searched: Searched;
  readonly traits: TextTraits;
  /** Shared with the texts hidden in this one. */
  readonly calls: LibraryCalls;
  /** Null for an original text. */
  readonly hiddenIn: Hiding | null;
  /** Matches of whole-text and exchange detectors, and matches in hidden texts. */
  readonly early: Match[];
  /** Matches of all other detectors. */
  readonly found: Match[];
}

interface Hiding {
  readonly reading: Reading;
  readonly hidden: HiddenText;
}

/** How many levels of nested hidden texts are read. */
const MAX_DEPTH = 2;

/** Adds the reading of a normalised text to the list, after those of all texts hidden in it, and returns it. */
export function addReadings(
  readings: Reading[],
  { source, text }: SourceText,
  calls = libraryCalls(),
  searched: Searched = 'ALL',
  hiddenIn: Hiding | null = null,
  depth = 0,
): Reading {
  const signs = signsIn(text);
  const reading = { source, text, searched, traits: signs, calls, hiddenIn, early: [], found: [] };
  if (depth < MAX_DEPTH) {
    const tried = depth > 0 ? 'NESTED' : searched === 'VALUES' ? 'VALUES' : 'ALL';
    for (const hidden of hiddenTexts(text, signs, tried)) {
      const below = hidden.nested ? depth + 1 : MAX_DEPTH;
      addReadings(readings, { source, text: hidden.text }, calls, searched, { reading, hidden }, below);
    }
  }
  readings.push(reading);
  return reading;
}
