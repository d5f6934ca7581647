import type { LabelledSpan } from '../samples/spans.ts';

/** An obfuscation of a value or an order: readable for people, but missed by a plain search. */
export interface Obfuscation {
  readonly name: string;
  readonly apply: (text: string) => string;
}

const each = (text: string, change: (character: string) => string): string =>
  Array.from(text, change).join('');

const CYRILLIC: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  j: 'ј',
  o: 'о',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  y: 'у',
  A: 'А',
  B: 'В',
  C: 'С',
  E: 'Е',
  H: 'Н',
  I: 'І',
  K: 'К',
  M: 'М',
  O: 'О',
  P: 'Р',
  S: 'Ѕ',
  T: 'Т',
  X: 'Х',
};
const LEET: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };

const isPrintable = (character: string): boolean => character > ' ' && character <= '~';

/** Maps ASCII letters and digits to another alphabet that starts at these code points. */
const inAlphabet = (upper: number, lower: number, digit: number) => (text: string) =>
  each(text, (character) => {
    const unit = character.charCodeAt(0);
    if (character >= 'A' && character <= 'Z') return String.fromCodePoint(upper + unit - 65);
    if (character >= 'a' && character <= 'z') return String.fromCodePoint(lower + unit - 97);
    return character >= '0' && character <= '9' ? String.fromCodePoint(digit + unit - 48) : character;
  });

/** Obfuscations that keep a value readable, for values and orders. */
export const LOOKS: readonly Obfuscation[] = [
  { name: 'zero width', apply: (text) => each(text, (character) => `${character}\u200b`) },
  { name: 'soft hyphens', apply: (text) => each(text, (character) => `${character}\u00ad`) },
  {
    name: 'full width',
    apply: (text) =>
      each(text, (character) =>
        isPrintable(character) ? String.fromCodePoint(0xfee0 + character.charCodeAt(0)) : character,
      ),
  },
  { name: 'look-alikes', apply: (text) => each(text, (character) => CYRILLIC[character] ?? character) },
  { name: 'mathematical letters', apply: inAlphabet(0x1d400, 0x1d41a, 0x1d7ce) },
  {
    name: 'invisible tags',
    apply: (text) =>
      each(text, (character) =>
        isPrintable(character) || character === ' '
          ? String.fromCodePoint(0xe0000 + character.charCodeAt(0))
          : character,
      ),
  },
];

const rot13 = (letter: string): string => {
  const first = letter >= 'a' ? 97 : 65;
  return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
};

/** Obfuscations that have to be decoded. */
export const ENCODINGS: readonly Obfuscation[] = [
  { name: 'base64', apply: (text) => Buffer.from(`It reads: ${text}`).toString('base64') },
  {
    name: 'spaced letters',
    apply: (text) =>
      text
        .split(' ')
        .map((word) => Array.from(word).join(' '))
        .join('   '),
  },
];

/** Obfuscations for words only. */
export const CIPHERS: readonly Obfuscation[] = [
  { name: 'leet', apply: (text) => each(text, (character) => LEET[character.toLowerCase()] ?? character) },
  { name: 'ROT13', apply: (text) => text.replaceAll(/[a-z]/gi, rot13) },
];

export interface LabelledText {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

/** The same text with its labelled values obfuscated, and the labels moved accordingly. */
export function obfuscateValues({ text, spans }: LabelledText, { apply }: Obfuscation): LabelledText {
  let written = '';
  let done = 0;
  const moved = spans
    .toSorted((a, b) => a.start - b.start)
    .map(({ type, start, end }) => {
      written += text.slice(done, start);
      const from = written.length;
      written += apply(text.slice(start, end));
      done = end;
      return { type, start: from, end: written.length };
    });
  return { text: written + text.slice(done), spans: moved };
}
