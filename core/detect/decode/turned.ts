import { createTermFinder } from '../term-finder.ts';
import { type Decoder, hiddenTextWriter, sameLength } from './decoder.ts';

const COMMON = [
  'ignore',
  'previous',
  'instructions',
  'system prompt',
  'disregard',
  'reveal',
  'password',
  'pretend',
  'bypass',
];
const SHIFT = 13;

const shiftLetter = (letter: string): string => {
  const first = letter >= 'a' ? 97 : 65;
  return String.fromCharCode(((letter.charCodeAt(0) - first + SHIFT) % 26) + first);
};
const shifted = (text: string): string => text.replaceAll(/[A-Za-z]/g, shiftLetter);
/** Unit by unit: what is not ASCII is of no interest here. */
const mirrored = (text: string): string => text.split('').reverse().join('');

const findShifted = createTermFinder(COMMON.map(shifted));
const findMirrored = createTermFinder(COMMON.map(mirrored));

function holdsOne(text: string, find: ReturnType<typeof createTermFinder>): boolean {
  let found = false;
  find(text, 0, 0, () => {
    found = true;
  });
  return found;
}

/** ROT13, told by words of orders in it. */
// biome-ignore lint/correctness/useYield: one pass over the text is a short stretch
export const rotated: Decoder = function* (text) {
  return holdsOne(text, findShifted) ? [sameLength(shifted(text))] : [];
};

/** Text written backwards, told by words of orders in it. */
export const backwards: Decoder = function* (text) {
  if (!holdsOne(text, findMirrored)) return [];
  yield;
  const writer = hiddenTextWriter();
  for (let i = text.length - 1; i >= 0; i--) writer.made(1, i, 1);
  writer.parts.push(mirrored(text));
  return [writer.finish({ ordersOnly: true, nested: false })];
};
