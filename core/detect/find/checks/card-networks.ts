import creditCardType from 'credit-card-type';

/**
 * A range of prefixes of equal length, as numbers, inclusive, and the lengths of the card numbers that begin with them.
 */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly lengths: readonly number[];
}

/**
 * The ranges of a network as `credit-card-type` lists them: those that begin with `digits`, and only these `lengths`.
 */
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

/** Ranges whose numbers are cards in any context. Rare lengths of a network need words: see below. */
const SURE: readonly Range[] = [
  ...rangesOf('visa', SIXTEEN_OR_NINETEEN),
  ...rangesOf('mastercard'),
  ...rangesOf('american-express'),
  ...rangesOf('discover', SIXTEEN_OR_NINETEEN),
  ...rangesOf('diners-club'),
  { from: 3095, to: 3095, lengths: [14, 16, 19] },
  ...rangesOf('jcb', SIXTEEN_OR_NINETEEN, '35'),
  // The library knows which parts of 62 are assigned; the rest belongs to UnionPay as well.
  { from: 62, to: 62, lengths: SIXTEEN_TO_NINETEEN },
  ...rangesOf('unionpay', SIXTEEN_TO_NINETEEN, '81'),
  ...rangesOf('mir', SIXTEEN),
  ...rangesOf('troy'),
];

const TWELVE_TO_NINETEEN = [12, 13, 14, 15, 16, 17, 18, 19];

/** Ranges and lengths whose numbers are also used for many other things: accepted only where words name a card. */
const NAMED: readonly Range[] = [
  ...Object.values(creditCardType.types).flatMap((network) => rangesOf(network)),
  { from: 4, to: 4, lengths: [13] },
  { from: 50, to: 50, lengths: TWELVE_TO_NINETEEN },
  { from: 56, to: 69, lengths: TWELVE_TO_NINETEEN },
  { from: 35, to: 35, lengths: SIXTEEN },
  // JCB's numbers of fifteen digits.
  { from: 1800, to: 1800, lengths: [15] },
  { from: 2131, to: 2131, lengths: [15] },
  // RuPay, which the library lacks.
  { from: 81, to: 82, lengths: SIXTEEN },
];

const firstDigit = (number: number): number => Number(String(number)[0]);

/** Ranges by first digit, because most numbers match none of those with their first digit. */
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

/** Whether a number has the prefix and the length of a network's cards. */
export const isCardNumber = isInOne(byFirstDigit(SURE));

/** The same with ranges and lengths that count only together with a word for a card. */
export const mayBeCardNumber = isInOne(byFirstDigit(NAMED));
