import type { OffsetMap } from '../normalise/offset-map.ts';
import { createTermFinder } from '../term-finder.ts';
import { TextWriter } from '../text-writer.ts';
import { type Decoder, type HiddenText, sameLength } from './decoder.ts';

/** Words whose encoded forms exist in no other language; one suffices. */
const DISTINCTIVE = [
  'ignore',
  'previous',
  'instruction',
  'system prompt',
  'disregard',
  'password',
  'pretend',
  'bypass',
];
/** Words of nearly every English sentence; their encoded forms may be names or abbreviations. */
const EVERYDAY = [
  ' the ',
  ' and ',
  ' you ',
  ' your ',
  ' that ',
  ' with ',
  ' this ',
  ' for ',
  ' what ',
  ' how ',
];
const ENOUGH = 2;
const SHIFT = 13;

const SHIFTED_UNITS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const first = unit >= 97 ? 97 : 65;
  return unit >= first && unit < first + 26 ? ((unit - first + SHIFT) % 26) + first : unit;
});
const shiftedUnit = (unit: number): number => (unit < 128 ? SHIFTED_UNITS[unit]! : unit);

/** Code units per call when a string is built: each is an argument. */
const PART = 8_192;

/** Builds a text of the given length, code unit by code unit: only ASCII matters here. */
function written(length: number, unitAt: (index: number) => number): string {
  const writer = new TextWriter();
  for (let at = 0; at < length; at += PART) {
    const units = Array.from({ length: Math.min(PART, length - at) }, (_, i) => unitAt(at + i));
    writer.add(String.fromCharCode(...units));
  }
  return writer.text();
}

/** ROT13. */
const shifted = (text: string): string =>
  written(text.length, (index) => shiftedUnit(text.charCodeAt(index)));
const mirror = (text: string): string =>
  written(text.length, (index) => text.charCodeAt(text.length - 1 - index));

const mirroredOffsets = (length: number): OffsetMap => ({
  start: (index) => length - 1 - index,
  end: (index) => length - index + 1,
  across: (start, end) => ({ start: length - end, end: length - start }),
});

const WORDS = [...DISTINCTIVE, ...EVERYDAY];
const findTurned = createTermFinder([...WORDS.map(shifted), ...WORDS.map(mirror)]);

/** Whether a text seems to be shifted or reversed. */
function signsIn(text: string): { isShifted: boolean; isMirrored: boolean } {
  const distinctive = [0, 0];
  const everyday = [0, 0];
  const isTurned = (way: number): boolean => distinctive[way]! > 0 || everyday[way]! >= ENOUGH;
  findTurned(text, (term) => {
    const way = term < WORDS.length ? 0 : 1;
    (term % WORDS.length < DISTINCTIVE.length ? distinctive : everyday)[way]!++;
  });
  return { isShifted: isTurned(0), isMirrored: isTurned(1) };
}

/** Decodes ROT13 and reversed text, recognised by words that occur in orders. */
export const turned: Decoder = (text) => {
  const { isShifted, isMirrored } = signsIn(text);
  const found: HiddenText[] = [];
  if (isShifted) found.push(sameLength(shifted(text)));
  if (!isMirrored) return found;
  return [
    ...found,
    { text: mirror(text), offsets: mirroredOffsets(text.length), ordersOnly: true, nested: false },
  ];
};
