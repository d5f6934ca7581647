import { isDayOfMonth, passesLuhn, passesMod11And10, weightedSum } from '../checks/check-digits.ts';

/** Checks of more national ID numbers in compact form: digits and upper-case letters. */

const digitAt = (value: string, at: number): number => value.charCodeAt(at) - 48;
const pairAt = (value: string, at: number): number => Number(value.slice(at, at + 2));

/**
 * Czechia and Slovakia, rodné číslo: divisible by 11; month plus 50 for women, plus 20 or 70 when a day's numbers ran
 * out.
 */
export function isCzechId(value: string): boolean {
  if (!/^\d{9,10}$/.test(value)) return false;
  const month = pairAt(value, 2) % 50;
  if (!isDayOfMonth(month > 20 ? month - 20 : month, pairAt(value, 4))) return false;
  // Nine-digit numbers without a check digit were issued until 1953.
  if (value.length === 9) return pairAt(value, 0) <= 53;
  const rest = Number(value.slice(0, 9)) % 11;
  return (rest === 10 ? 0 : rest) === digitAt(value, 9);
}

/** Romania, CNP: sex and century, date, county, serial number. */
export function isRomanianId(value: string): boolean {
  if (!/^[1-9]\d{12}$/.test(value) || !isDayOfMonth(pairAt(value, 3), pairAt(value, 5))) return false;
  const county = pairAt(value, 7);
  if (!((county >= 1 && county <= 48) || county === 51 || county === 52 || county === 70)) return false;
  const rest = weightedSum(value, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (rest === 10 ? 1 : rest) === digitAt(value, 12);
}

/** Bulgaria, EGN: month plus 20 for the 19th century, plus 40 for the 21st. */
export function isBulgarianId(value: string): boolean {
  if (!/^\d{10}$/.test(value) || !isDayOfMonth(pairAt(value, 2) % 20, pairAt(value, 4))) return false;
  return (weightedSum(value, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === digitAt(value, 9);
}

/** Russia, INN of a person: two check digits. */
export function isRussianInn(value: string): boolean {
  if (!/^\d{12}$/.test(value) || /^0+$/.test(value)) return false;
  const first = (weightedSum(value, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10;
  const second = (weightedSum(value, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10;
  return first === digitAt(value, 10) && second === digitAt(value, 11);
}

/** Argentina, CUIL and CUIT of people and companies. */
export function isCuil(value: string): boolean {
  if (!/^(?:2[03457]|3[034])\d{9}$/.test(value)) return false;
  const rest = weightedSum(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest === 0 ? 0 : 11 - rest) === digitAt(value, 10);
}

/** Chile, RUN and RUT: weights 2 to 7 from the right, K for ten. */
export function isRut(value: string): boolean {
  if (!/^\d{7,8}[\dK]$/.test(value)) return false;
  let sum = 0;
  for (let i = value.length - 2, weight = 2; i >= 0; i--, weight = weight === 7 ? 2 : weight + 1)
    sum += digitAt(value, i) * weight;
  return '0K987654321'[sum % 11] === value.at(-1);
}

/** Ireland, PPS number: a second letter adds nine times its rank, W adds nothing. */
export function isPps(value: string): boolean {
  if (!/^\d{7}[A-W][A-IW]?$/.test(value)) return false;
  const second = value[8] === undefined || value[8] === 'W' ? 0 : value.charCodeAt(8) - 64;
  const sum = weightedSum(value, [8, 7, 6, 5, 4, 3, 2]) + 9 * second;
  return 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23] === value[7];
}

/** New Zealand, IRD number: a second row of weights applies if the first one gives ten. */
export function isIrd(value: string): boolean {
  if (!/^\d{8,9}$/.test(value)) return false;
  const digits = value.padStart(9, '0');
  if (Number(digits) < 10_000_000 || Number(digits) > 150_000_000) return false;
  const check = (weights: readonly number[]): number => (11 - (weightedSum(digits, weights) % 11)) % 11;
  const first = check([3, 2, 7, 6, 5, 4, 3, 2]);
  const last = first === 10 ? check([7, 4, 3, 2, 5, 2, 7, 6]) : first;
  return last === digitAt(digits, 8);
}

/** Israel, teudat zehut. */
export const isIsraeliId = (value: string): boolean =>
  /^\d{8,9}$/.test(value) && !/^0+$/.test(value) && passesLuhn(value.padStart(9, '0'));

/** Greece, AMKA: a date, and the Luhn check. */
export const isAmka = (value: string): boolean =>
  /^\d{11}$/.test(value) && isDayOfMonth(pairAt(value, 2), pairAt(value, 0)) && passesLuhn(value);

/** Austria, insurance number: the fourth digit is the check digit, the last six are the date of birth. */
export function isAustrianId(value: string): boolean {
  if (!/^[1-9]\d{9}$/.test(value)) return false;
  // Months 13 to 15 are used when a day's numbers ran out.
  if (pairAt(value, 4) < 1 || pairAt(value, 4) > 31 || pairAt(value, 6) < 1 || pairAt(value, 6) > 15)
    return false;
  return weightedSum(value, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === digitAt(value, 3);
}

/** Croatia, OIB. */
export const isOib = (value: string): boolean => /^\d{11}$/.test(value) && passesMod11And10(value);

/** Slovenia and its neighbours, EMŠO or JMBG: date with a three-digit year, region, serial number. */
export function isEmso(value: string): boolean {
  if (!/^\d{4}[09]\d{8}$/.test(value) || !isDayOfMonth(pairAt(value, 2), pairAt(value, 0))) return false;
  const rest = weightedSum(value, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return rest !== 1 && (rest === 0 ? 0 : 11 - rest) === digitAt(value, 12);
}

/**
 * Lithuania and Estonia: century and sex, date, serial number; a second row of weights applies if the first gives ten.
 */
export function isBalticId(value: string): boolean {
  if (!/^[1-8]\d{10}$/.test(value) || !isDayOfMonth(pairAt(value, 3), pairAt(value, 5))) return false;
  const first = weightedSum(value, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const check = first === 10 ? weightedSum(value, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11 : first;
  return check % 10 === digitAt(value, 10);
}

/** Ukraine, taxpayer number: its first five digits count days from 31 December 1899. */
export function isUkrainianId(value: string): boolean {
  if (!/^\d{10}$/.test(value)) return false;
  const sum = weightedSum(value, [-1, 5, 7, 9, 4, 6, 10, 5, 7]);
  return (((sum % 11) + 11) % 11) % 10 === digitAt(value, 9);
}

/** Portugal, citizen card number: Luhn, with letters as numbers. */
export function isCitizenCard(value: string): boolean {
  if (!/^\d{9}[A-Z\d]{2}\d$/.test(value)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    const number = Number.parseInt(value[i]!, 36);
    const doubled = i % 2 === 0 ? number * 2 : number;
    sum += doubled > 9 && i % 2 === 0 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Thailand: thirteen digits, weights 13 to 2. */
export function isThaiId(value: string): boolean {
  if (!/^[1-8]\d{12}$/.test(value)) return false;
  const sum = weightedSum(value, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return (11 - (sum % 11)) % 10 === digitAt(value, 12);
}

/** Taiwan: a letter for the region, worth two digits, and nine digits. */
export function isTaiwaneseId(value: string): boolean {
  if (!/^[A-Z][1289]\d{8}$/.test(value)) return false;
  const region = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(value[0]!) + 10;
  const sum =
    Math.floor(region / 10) + (region % 10) * 9 + weightedSum(value.slice(1), [8, 7, 6, 5, 4, 3, 2, 1, 1]);
  return sum % 10 === 0;
}

/** Hong Kong, identity card: one or two letters, six digits, a check digit or A. */
export function isHongKongId(value: string): boolean {
  if (!/^[A-Z]{1,2}\d{6}[\dA]$/.test(value)) return false;
  const padded = value.padStart(9, ' ');
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += (padded[i] === ' ' ? 36 : Number.parseInt(padded[i]!, 36)) * (9 - i);
  return sum % 11 === 0;
}

/** Whether this is a date of birth of someone who may be alive, in the format of PESEL. */
export const hasLikelyBirth = (value: string): boolean =>
  pairAt(value, 2) <= 12 ? pairAt(value, 0) >= 20 : pairAt(value, 2) <= 32 && pairAt(value, 0) <= 26;
