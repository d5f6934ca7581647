import { randomBytes } from 'node:crypto';

/** Unique strings sent in place of raw text and recognised wherever they appear. */
export interface Marks {
  /** A word that occurs in no other text and names the way it was sent. */
  of(way: string): string;
  /** Marks in these bytes, in clear or in a simple encoding, e.g. `prompt as base64`. */
  find(bytes: Buffer): string[];
}

const NUMBER_LENGTH = 3;

export function createMarks(): Marks {
  // All marks share a prefix, so that one search finds any of them. Short, because messages quote only about ten
  // characters.
  const beginning = `zq${randomBytes(3).toString('hex')}`;
  const ways: string[] = [];
  const encodings = encodingsOf(beginning);
  return {
    of: (way) => {
      if (!ways.includes(way)) ways.push(way);
      return beginning + String(ways.indexOf(way)).padStart(NUMBER_LENGTH, '0');
    },
    find: (bytes) => {
      const found = new Set<string>();
      for (const { name, pattern } of encodings) {
        for (let at = bytes.indexOf(pattern); at !== -1; at = bytes.indexOf(pattern, at + 1)) {
          const number = bytes.subarray(at + pattern.length, at + pattern.length + NUMBER_LENGTH).toString();
          const way = name === 'text' ? (ways[Number(number)] ?? 'a mark') : 'a mark';
          found.add(`${way} as ${name}`);
        }
      }
      return [...found];
    },
  };
}

interface Encoding {
  readonly name: string;
  readonly pattern: Buffer;
}

function encodingsOf(text: string): Encoding[] {
  const upper = text.toUpperCase();
  return [
    { name: 'text', pattern: Buffer.from(text) },
    { name: 'upper-case text', pattern: Buffer.from(upper) },
    { name: 'UTF-16, little end first', pattern: Buffer.from(text, 'utf16le') },
    { name: 'UTF-16, big end first', pattern: Buffer.from(text, 'utf16le').swap16() },
    { name: 'hex', pattern: Buffer.from(Buffer.from(text).toString('hex')) },
    { name: 'upper-case hex', pattern: Buffer.from(Buffer.from(text).toString('hex').toUpperCase()) },
    ...[0, 1, 2].map((before) => ({ name: 'base64', pattern: base64Behind(text, before) })),
    { name: 'reversed text', pattern: Buffer.from([...text].reverse().join('')) },
  ];
}

/** The base64 of the text after this many bytes, without the characters shared with its neighbours. */
function base64Behind(text: string, before: number): Buffer {
  const whole = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  const inside = Math.floor(whole.length / 3) * 4;
  return Buffer.from(whole.toString('base64').slice(before === 0 ? 0 : 4, inside));
}
