/**
 * A value as the program behind a server receives it: percent-encoding decoded twice, character references, escapes of
 * JSON and JavaScript and full-width signs resolved, invisible characters removed.
 */

const MAY_BE_ENCODED = /[%&\\+\0\uff01-\uff5e\u200b-\u200f\ufeff]/;
const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  lpar: '(',
  rpar: ')',
  colon: ':',
  semi: ';',
  sol: '/',
  bsol: '\\',
  tab: '\t',
  newline: '\n',
  nbsp: ' ',
  grave: '`',
  equals: '=',
  period: '.',
  excl: '!',
  lbrack: '[',
  rbrack: ']',
  dollar: '$',
  num: '#',
};
const ROUNDS = 3;

const unitOf = (hex: string): string => {
  const unit = Number.parseInt(hex, 16);
  return unit > 0x10_ffff ? '' : String.fromCodePoint(unit);
};

/** Overlong two-byte forms of ASCII that old decoders accept: %c0%bc is "<". */
const OVERLONG = /%c[01]%([89ab][0-9a-f])/gi;
const PERCENT = /%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi;
const ESCAPE = /\\(?:u\{0{0,6}([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi;
const REFERENCE = /&(?:#x0{0,7}([0-9a-f]{1,6})|#0{0,7}(\d{1,7})|([a-z]{2,7})(?=;));?/gi;
const INVISIBLE = /[\0\u200b-\u200f\ufeff]/g;
const FULL_WIDTH = /[\uff01-\uff5e]/g;

function decodedOnce(value: string): string {
  let plain = value;
  if (plain.includes('%'))
    plain = plain
      .replace(OVERLONG, (whole, second: string) => {
        const low = Number.parseInt(second, 16) & 0x3f;
        return /^%c1/i.test(whole) ? String.fromCharCode(0x40 | low) : String.fromCharCode(low);
      })
      .replace(PERCENT, (_, wide: string | undefined, byte: string) => unitOf(wide ?? byte));
  if (plain.includes('\\'))
    plain = plain.replace(ESCAPE, (_, braced?: string, wide?: string, byte?: string) =>
      unitOf(braced ?? wide ?? byte ?? '20'),
    );
  if (plain.includes('&'))
    plain = plain.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return unitOf(hex);
      if (decimal !== undefined) return unitOf(Number(decimal).toString(16));
      return NAMED[name!.toLowerCase()] ?? whole;
    });
  return plain
    .replace(INVISIBLE, '')
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/** `plusIsBlank`: in forms and queries, a plus sign encodes a blank. */
export function decodedValue(value: string, plusIsBlank: boolean): string {
  if (!MAY_BE_ENCODED.test(value)) return value;
  let plain = plusIsBlank ? value.replaceAll('+', ' ') : value;
  for (let round = 0; round < ROUNDS; round++) {
    const next = decodedOnce(plain);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}
