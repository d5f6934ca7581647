import { type Decoder, hiddenTextWriter } from './decoder.ts';
import { MIN_ESCAPES } from './signs.ts';

/** Characters encoded as numbers: %69, \x69, \u0069, \u{69}, &#105;, &#x69;. */
const ESCAPE =
  /%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|&#(\d{2,7});?|&#x([0-9a-f]{2,6});?/gi;
const LAST_POINT = 0x10ffff;

function pointOf([, percent, hex, unicode, braced, decimal, entity]: RegExpExecArray): number {
  if (decimal !== undefined) return Number(decimal);
  return Number.parseInt(percent ?? hex ?? unicode ?? braced ?? entity ?? '', 16);
}

/** Decodes letters, digits and blanks that are written as numbers. */
export const escapes: Decoder = (text) => {
  const writer = hiddenTextWriter();
  let done = 0;
  let letters = 0;
  const take = (until: number): void => {
    writer.copied(until - done, done);
    writer.write(text.slice(done, until));
    done = until;
  };
  ESCAPE.lastIndex = 0;
  for (let match = ESCAPE.exec(text); match !== null; match = ESCAPE.exec(text)) {
    const point = pointOf(match);
    if (point < 32 || point > LAST_POINT || (point >= 0xd800 && point <= 0xdfff)) continue;
    take(match.index);
    const character = String.fromCodePoint(point);
    writer.derived(character.length, done, match[0].length);
    writer.write(character);
    done += match[0].length;
    if (/[\p{L}\d<>'"(@]/u.test(character)) letters++;
  }
  if (letters < MIN_ESCAPES) return [];
  take(text.length);
  return [writer.finish({ ordersOnly: false, nested: false })];
};
