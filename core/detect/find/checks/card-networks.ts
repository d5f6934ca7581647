import creditCardType from 'credit-card-type';

/** An inclusive range of numeric prefixes of equal length, with the lengths of their card numbers. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly lengths: readonly number[];
}

/** A network's ranges from `credit-card-type`, limited to those that start with `digits`, and to `lengths`. */
function rangesOf(network: string, lengths?: readonly number[], digits = ''): Range[] {
  const known = creditCardType.getTypeInfo(network);
  return known.patterns.flatMap((pattern) => {
    const [from, to = from] = Array.isArray(pattern) ? pattern : [pattern];
    if (from === undefined || to === undefined || !String(from).startsWith(digits)) return [];
    return [{ from, to, lengths: lengths ?? known.lengths }];
  });
}

const SIXTEEN = [16];
const SIXTEEN_OR_NINETEEN = [16, 19];
const SIXTEEN_TO_NINETEEN = [16, 17, 18, 19];

/** Ranges whose numbers are cards in any context. A network's rare lengths need a word for a card; see below. */
const SURE: readonly Range[] = [
  ...rangesOf('visa', SIXTEEN_OR_NINETEEN),
  ...rangesOf('mastercard'),
  ...rangesOf('american-express'),
  ...rangesOf('discover', SIXTEEN_OR_NINETEEN),
  ...rangesOf('diners-club'),
  { from: 3095, to: 3095, lengths: [14, 16, 19] },
  ...rangesOf('jcb', SIXTEEN_OR_NINETEEN, '35'),
  // The library only has the assigned parts of 62; the rest belongs to UnionPay as well.
  { from: 62, to: 62, lengths: SIXTEEN_TO_NINETEEN },
  ...rangesOf('unionpay', SIXTEEN_TO_NINETEEN, '81'),
  ...rangesOf('mir', SIXTEEN),
  ...rangesOf('troy'),
];

const TWELVE_TO_NINETEEN = [12, 13, 14, 15, 16, 17, 18, 19];

/** Ranges and lengths that many other numbers share: they count only next to a word for a card. */
const NAMED: readonly Range[] = [
  ...Object.values(creditCardType.types).flatMap((network) => rangesOf(network)),
  { from: 4, to: 4, lengths: [13] },
  { from: 50, to: 50, lengths: TWELVE_TO_NINETEEN },
  { from: 56, to: 69, lengths: TWELVE_TO_NINETEEN },
  { from: 35, to: 35, lengths: SIXTEEN },
  // JCB's 15-digit numbers.
  { from: 1800, to: 1800, lengths: [15] },
  { from: 2131, to: 2131, lengths: [15] },
  // RuPay is missing in the library.
  { from: 81, to: 82, lengths: SIXTEEN },
];

const firstDigit = (number: number): number => Number(String(number)[0]);

/** Indexes ranges by first digit, because most numbers match none of those with their first digit. */
function byFirstDigit(ranges: readonly Range[]): readonly (readonly Range[])[] {
  return Array.from({ length: 10 }, (_, digit) =>
    ranges.filter(({ from, to }) => firstDigit(from) <= digit && digit <= firstDigit(to)),
  );
}

function isInOne(ranges: readonly (readonly Range[])[]): (digits: string) => boolean {
  return (digits) =>
    ranges[digits.charCodeAt(0) - 48]?.some(({ from, to, lengths }) => {
      if (!lengths.includes(digits.length)) return false;
      const head = Number(digits.slice(0, String(from).length));
      return head >= from && head <= to;
    }) ?? false;
}

/** Whether a number has the prefix and length of a card network. */
export const isCardNumber = isInOne(byFirstDigit(SURE));

/** Whether a number is in the ranges that count only next to a word for a card. */
export const mayBeCardNumber = isInOne(byFirstDigit(NAMED));
