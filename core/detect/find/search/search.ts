import type { ViolationCode } from '#schemas/vocabulary.ts';
import type { TextSource } from '../../read/texts.ts';
import type { Candidate, Detector, SearchDetector, WholeDetector } from '../detector.ts';
import type { Match } from '../match.ts';
import { withoutOverlaps } from '../overlap.ts';
import { createTermSearch } from '../term-search.ts';
import { withAddressesCut } from './address-end.ts';
import { DETECTORS, findsValues } from './detectors.ts';
import type { Reading } from './reading.ts';

/**
 * Copies field by field, because copying objects of unknown shape would dominate the time for a text full of matches.
 */
export const located = (
  { code, entity, start, end, confidence }: Candidate,
  { name, version }: Detector,
  source: TextSource,
): Match => ({ code, entity, detector: name, version, source, start, end, confidence });

export const isFor = ({ sources }: Detector, source: TextSource): boolean =>
  sources === undefined || sources.includes(source);

/** The whole-text detectors; each is its own stage. */
export const WHOLE_TEXT_DETECTORS = DETECTORS.filter((detector) => 'searchWhole' in detector);
const SEARCHES = DETECTORS.filter((detector) => 'search' in detector);
const termsIn = createTermSearch(DETECTORS.filter((detector) => 'terms' in detector));

const isSearchedBy = ({ searched }: Reading, detector: Detector): boolean =>
  searched === 'ALL' || findsValues(detector) === (searched === 'VALUES');

const mayFind = (detector: SearchDetector | WholeDetector, reading: Reading): boolean =>
  isFor(detector, reading.source) &&
  detector.mayFind?.(reading.traits) !== false &&
  isSearchedBy(reading, detector);

export function searchWhole(readings: readonly Reading[], detector: WholeDetector): void {
  for (const reading of readings) {
    if (!mayFind(detector, reading)) continue;
    const { text, source, early } = reading;
    for (const candidate of detector.searchWhole(text, source))
      early.push(located(candidate, detector, source));
  }
}

export function searchTerms(readings: readonly Reading[]): void {
  for (const reading of readings) {
    const { text, source, searched, found } = reading;
    const isWanted = searched === 'ALL' ? undefined : (one: Detector) => isSearchedBy(reading, one);
    termsIn(
      text,
      source,
      (detector, candidate) => found.push(located(candidate, detector, source)),
      isWanted,
    );
  }
}

export function searchReadings(readings: readonly Reading[]): void {
  for (const detector of SEARCHES) {
    for (const reading of readings) {
      if (!mayFind(detector, reading)) continue;
      const { text, calls, source, found } = reading;
      for (const candidate of detector.search(text, calls)) found.push(located(candidate, detector, source));
    }
  }
}

const byStart = (a: Match, b: Match): number => a.start - b.start;

/**
 * The matches of a reading as lists, each ordered by offset: one of values, and one of phrases per code. Matches within
 * a list never overlap: two overlapping phrases of the same attack are one.
 */
export function settled({
  early,
  found,
  text,
}: Pick<Reading, 'early' | 'found' | 'text'>): (readonly Match[])[] {
  const values: Match[] = [];
  const phrases = new Map<ViolationCode, Match[]>();
  const add = (match: Match): void => {
    if (match.entity !== null) {
      values.push(match);
      return;
    }
    const same = phrases.get(match.code);
    if (same === undefined) phrases.set(match.code, [match]);
    else same.push(match);
  };
  early.sort(byStart).forEach(add);
  found.forEach(add);
  return [withAddressesCut(values, text), ...phrases.values()].map(withoutOverlaps);
}

const NONE: readonly (readonly Match[])[] = [];

/** Adds the matches in a hidden text to the text that contains it, mapped to the spans that hide them. */
function addToHiding(lists: readonly (readonly Match[])[], { hiddenIn }: Reading): void {
  const { reading, hidden } = hiddenIn!;
  for (const list of lists) {
    for (const { code, entity, detector, version, source, start, end, confidence } of list) {
      if (hidden.ordersOnly && entity !== null) continue;
      const span = hidden.offsets.across(start, end);
      reading.early.push({ code, entity, detector, version, source, ...span, confidence });
    }
  }
}

/**
 * The lists of matches of each original text. Readings of hidden texts must precede those of the texts that contain
 * them.
 */
export function settle(readings: readonly Reading[]): Map<Reading, readonly (readonly Match[])[]> {
  const sent = new Map<Reading, readonly (readonly Match[])[]>();
  for (const reading of readings) {
    const isEmpty = reading.early.length === 0 && reading.found.length === 0;
    const lists = isEmpty ? NONE : settled(reading);
    if (reading.hiddenIn === null) sent.set(reading, lists);
    else addToHiding(lists, reading);
  }
  return sent;
}
