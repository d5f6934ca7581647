import type { HiddenText } from '../../read/decode/decoder.ts';
import { hiddenTexts } from '../../read/decode/hidden-texts.ts';
import { signsIn } from '../../read/decode/signs.ts';
import type { SourceText, TextSource } from '../../read/texts.ts';
import type { TextTraits } from '../detector.ts';
import { type LibraryCalls, libraryCalls } from '../library-calls.ts';
import type { Match } from '../match.ts';

/**
 * Which detectors search a reading. A text with escape sequences has two: values are searched for in what the sequences
 * stand for, attacks in the text as it was sent, because a text that shows an attack in escaped form is none.
 */
type Searched = 'ALL' | 'VALUES' | 'PHRASES';

/** A text that detectors search, and what was found in it so far: one that was sent, or one that another text hides. */
export interface Reading {
  readonly source: TextSource;
  readonly text: string;
  readonly searched: Searched;
  readonly traits: TextTraits;
  /** Shared with the texts that this one hides. */
  readonly calls: LibraryCalls;
  /** Null for a text that was sent. */
  readonly hiddenIn: Hiding | null;
  /** Findings of the whole text, and of the texts that it hides. */
  readonly early: Match[];
  /** Findings at single places. */
  readonly found: Match[];
}

/** Where a hidden text is. */
interface Hiding {
  readonly reading: Reading;
  readonly hidden: HiddenText;
}

/** How many levels of hidden texts inside hidden texts are read. */
const MAX_DEPTH = 2;

/** Adds the reading of a normalised text to the list, behind those of all texts that it hides, and returns it. */
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
