/** Country codes in use (ITU-T E.164, list of assigned codes), as ranges, inclusive. */
const COUNTRY_CODES: readonly (readonly [number, number])[] = [
  [1, 1],
  [7, 7],
  [20, 20],
  [27, 27],
  [30, 34],
  [36, 36],
  [39, 39],
  [40, 41],
  [43, 49],
  [51, 58],
  [60, 66],
  [81, 82],
  [84, 84],
  [86, 86],
  [90, 95],
  [98, 98],
  [211, 213],
  [216, 216],
  [218, 218],
  [220, 258],
  [260, 269],
  [290, 291],
  [297, 299],
  [350, 359],
  [370, 378],
  [380, 383],
  [385, 387],
  [389, 389],
  [420, 421],
  [423, 423],
  [500, 509],
  [590, 599],
  [670, 670],
  [672, 683],
  [685, 692],
  [800, 800],
  [808, 808],
  [850, 850],
  [852, 853],
  [855, 856],
  [870, 870],
  [880, 883],
  [886, 886],
  [888, 888],
  [960, 968],
  [970, 977],
  [992, 996],
  [998, 998],
];

/** Digits of a national number, without trunk prefix, of countries that give few lengths (their numbering plans). */
const NATIONAL_LENGTHS: Readonly<Record<number, readonly [number, number]>> = {
  1: [10, 10],
  7: [10, 10],
  20: [8, 10],
  27: [9, 9],
  30: [10, 10],
  31: [9, 11],
  32: [8, 9],
  33: [9, 9],
  34: [9, 9],
  36: [8, 9],
  39: [6, 11],
  40: [9, 9],
  41: [9, 12],
  44: [9, 10],
  45: [8, 8],
  46: [7, 10],
  47: [8, 8],
  48: [9, 9],
  52: [10, 11],
  54: [10, 11],
  55: [10, 11],
  56: [9, 9],
  61: [9, 9],
  64: [8, 10],
  65: [8, 8],
  66: [8, 9],
  81: [9, 10],
  84: [9, 10],
  86: [9, 11],
  90: [10, 10],
  91: [10, 10],
  351: [9, 9],
  353: [7, 9],
  420: [9, 9],
  421: [9, 9],
  852: [8, 8],
  886: [8, 9],
  971: [8, 9],
  972: [8, 9],
};

/** N11 are service numbers; the middle digit 9 of an area code is kept for growth (NANPA). */
export function isNorthAmerican(area: string, exchange: string): boolean {
  return !/^(?:.11|.9.|[01]..)$/.test(area) && !/^(?:.11|[01]..)$/.test(exchange);
}

/** `digits`: country code and national number, without prefix. */
export function isInternational(digits: string): boolean {
  if (digits.length < 8 || digits.length > 15 || digits.startsWith('0')) return false;
  const length = [1, 2, 3].find((count) => {
    const head = Number(digits.slice(0, count));
    return COUNTRY_CODES.some(([from, to]) => head >= from && head <= to);
  });
  if (length === undefined) return false;
  const code = Number(digits.slice(0, length));
  // Italy's fixed numbers keep their zero.
  if (digits[length] === '0' && code !== 39) return false;
  const [least, most] = NATIONAL_LENGTHS[code] ?? [4, 13];
  const national = digits.length - length;
  return national >= least && national <= most;
}
