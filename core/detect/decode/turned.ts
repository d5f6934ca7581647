import { createTermFinder, type TermFinder } from '../term-finder.ts';
import { type Decoder, hiddenTextWriter, sameLength } from './decoder.ts';

/** Words that no other language has once they are turned; one is enough. */
const TELLING = [
  'ignore',
  'previous',
  'instruction',
  'system prompt',
  'disregard',
  'password',
  'pretend',
  'bypass',
];
/** Words of every English sentence; turned, each may be a name or a shortening. */
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

const shiftLetter = (letter: string): string => {
  const first = letter >= 'a' ? 97 : 65;
  return String.fromCharCode(((letter.charCodeAt(0) - first + SHIFT) % 26) + first);
};
const shifted = (text: string): string => text.replaceAll(/[A-Za-z]/g, shiftLetter);
/** Unit by unit: what is not ASCII is of no interest here. */
const mirrored = (text: string): string => text.split('').reverse().join('');

interface Signs {
  readonly find: TermFinder;
  readonly telling: number;
}
const signsOf = (turn: (text: string) => string): Signs => ({
  find: createTermFinder([...TELLING, ...EVERYDAY].map(turn)),
  telling: TELLING.length,
});
const SHIFTED = signsOf(shifted);
const MIRRORED = signsOf(mirrored);

function isTurned(text: string, { find, telling }: Signs): boolean {
  let [told, everyday] = [0, 0];
  find(text, 0, 0, (term) => {
    if (term < telling) told++;
    else everyday++;
  });
  return told > 0 || everyday >= ENOUGH;
}

/** ROT13, told by words of orders in it. */
// biome-ignore lint/correctness/useYield: one pass over the text is a short stretch
export const rotated: Decoder = function* (text) {
  return isTurned(text, SHIFTED) ? [sameLength(shifted(text))] : [];
};

/** Text written backwards, told by words of orders in it. */
export const backwards: Decoder = function* (text) {
  if (!isTurned(text, MIRRORED)) return [];
  yield;
  const writer = hiddenTextWriter();
  for (let i = text.length - 1; i >= 0; i--) writer.made(1, i, 1);
  writer.parts.push(mirrored(text));
  return [writer.finish({ ordersOnly: true, nested: false })];
};
