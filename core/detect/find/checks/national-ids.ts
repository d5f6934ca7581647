import { isDayOfMonth, passesLuhn, passesVerhoeff, weightedSum } from './check-digits.ts';

/** Checks of national ID numbers in compact form: digits and upper-case letters. */

const digitAt = (value: string, at: number): number => value.charCodeAt(at) - 48;
const pairAt = (value: string, at: number): number => Number(value.slice(at, at + 2));

/** Spain, DNI and NIE: the letter follows from the number modulo 23 (Real Decreto 1553/2005). */
export function isSpanishId(value: string): boolean {
  const match = /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(value);
  if (match === null || match[1]!.length + match[2]!.length !== 8) return false;
  const number = Number(`${match[1] === '' ? '' : 'XYZ'.indexOf(match[1]!)}${match[2]}`);
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23] === match[3];
}

/** UK national insurance number: letters in use (HMRC, NIM39110), suffix A to D. */
export function isNino(value: string): boolean {
  return /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(value);
}

/** France, NIR with its key; Corsica's 2A and 2B count as 19 and 18 (INSEE). */
export function isFrenchId(value: string): boolean {
  if (!/^[1-478]\d{4}(?:\d\d|2[AB])\d{8}$/.test(value)) return false;
  const month = pairAt(value, 3);
  if (!((month >= 1 && month <= 12) || month >= 20)) return false;
  const number = value.replace('2A', '19').replace('2B', '18');
  return 97 - (Number(number.slice(0, 13)) % 97) === Number(number.slice(13));
}

const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

const ITALIAN = (() => {
  const digit = '[\\dLMNPQRSTUV]';
  return new RegExp(`^[A-Z]{6}${digit}{2}[ABCDEHLMPRST]${digit}{2}[A-Z]${digit}{3}[A-Z]$`);
})();

/** Italy, codice fiscale with its last letter (Decreto 23 dicembre 1976). */
export function isItalianId(value: string): boolean {
  if (!ITALIAN.test(value)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const unit = value.charCodeAt(i);
    const rank = unit <= 57 ? unit - 48 : unit - 65;
    sum += i % 2 === 0 ? ODD_VALUES[rank]! : rank;
  }
  return value.charCodeAt(15) - 65 === sum % 26;
}

/** Poland, PESEL. */
export function isPesel(value: string): boolean {
  if (!/^\d{11}$/.test(value) || !isDayOfMonth(pairAt(value, 2) % 20, pairAt(value, 4))) return false;
  return weightedSum(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

/** Netherlands, BSN: the modulo-11 check. */
export function isBsn(value: string): boolean {
  return (
    /^\d{9}$/.test(value) &&
    value !== '000000000' &&
    weightedSum(value, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0
  );
}

/** Belgium, Rijksregisternummer: modulo 97, with a 2 prepended for people born in 2000 or later. */
export function isBelgianId(value: string): boolean {
  if (!/^\d{11}$/.test(value) || pairAt(value, 2) > 12 || pairAt(value, 4) > 31) return false;
  const [number, key] = [value.slice(0, 9), Number(value.slice(9))];
  return 97 - (Number(number) % 97) === key || 97 - (Number(`2${number}`) % 97) === key;
}

/** Sweden, personnummer or samordningsnummer (day plus 60), with or without the century. */
export function isSwedishId(value: string): boolean {
  const short = /^(?:19|20)\d{10}$/.test(value) ? value.slice(2) : value;
  return /^\d{10}$/.test(short) && isDayOfMonth(pairAt(short, 2), pairAt(short, 4) % 60) && passesLuhn(short);
}

/** Norway, fødselsnummer: two check digits modulo 11; day plus 40 for D-numbers. */
export function isNorwegianId(value: string): boolean {
  if (!/^\d{11}$/.test(value) || !isDayOfMonth(pairAt(value, 2), pairAt(value, 0) % 40)) return false;
  return (
    weightedSum(value, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weightedSum(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

/** Denmark, CPR number: the modulo-11 check ended in 2007, so only the date counts. */
export function isDanishId(value: string): boolean {
  return /^\d{10}$/.test(value) && isDayOfMonth(pairAt(value, 2), pairAt(value, 0));
}

/** Finland, henkilötunnus, without the century sign. */
export function isFinnishId(value: string): boolean {
  const number = value.length === 11 ? value.slice(0, 6) + value.slice(7) : value;
  if (!/^\d{9}[0-9A-Y]$/.test(number) || !isDayOfMonth(pairAt(number, 2), pairAt(number, 0))) return false;
  return '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(number.slice(0, 9)) % 31] === number[9];
}

/** Brazil, CPF. */
export function isCpf(value: string): boolean {
  if (!/^\d{11}$/.test(value) || /^(\d)\1{10}$/.test(value)) return false;
  const check = (length: number): number => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += digitAt(value, i) * (length + 1 - i);
    return ((sum * 10) % 11) % 10;
  };
  return check(9) === digitAt(value, 9) && check(10) === digitAt(value, 10);
}

export const isAadhaar = (value: string): boolean => /^[2-9]\d{11}$/.test(value) && passesVerhoeff(value);

/** India, PAN: the fourth letter is the holder's category. */
export const isPan = (value: string): boolean => /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/.test(value);

export const isCanadianSin = (value: string): boolean => /^[1-79]\d{8}$/.test(value) && passesLuhn(value);

/** Australia, tax file number. */
export function isTfn(value: string): boolean {
  return /^\d{9}$/.test(value) && weightedSum(value, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
}

/** China, resident identity card (GB 11643-1999). */
export function isChineseId(value: string): boolean {
  const match = /^[1-9]\d{5}(?:19|20)\d\d(\d\d)(\d\d)\d{3}[\dX]$/.exec(value);
  if (match === null || !isDayOfMonth(Number(match[1]), Number(match[2]))) return false;
  const sum = weightedSum(value, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return '10X98765432'[sum % 11] === value[17];
}

/** South Korea, resident registration number; issued without a check digit since October 2020. */
export function hasKoreanDate(value: string): boolean {
  return /^\d{6}[1-8]\d{6}$/.test(value) && isDayOfMonth(pairAt(value, 2), pairAt(value, 4));
}

export function isKoreanId(value: string): boolean {
  const sum = hasKoreanDate(value) ? weightedSum(value, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) : -1;
  return sum !== -1 && (11 - (sum % 11)) % 10 === digitAt(value, 12);
}

/** South Africa, identity number. */
export function isSouthAfricanId(value: string): boolean {
  return (
    /^\d{10}[012]\d{2}$/.test(value) && isDayOfMonth(pairAt(value, 2), pairAt(value, 4)) && passesLuhn(value)
  );
}

/** Mexico, CURP (instructivo normativo, Segob). */
export function isCurp(value: string): boolean {
  const match = /^[A-Z]{4}\d\d(\d\d)(\d\d)[HMX][A-Z]{2}[A-Z]{3}[0-9A-Z]\d$/.exec(value);
  if (match === null || !isDayOfMonth(Number(match[1]), Number(match[2]))) return false;
  const letters = '0123456789ABCDEFGHIJKLMN\u00d1OPQRSTUVWXYZ';
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += letters.indexOf(value[i]!) * (18 - i);
  return (10 - (sum % 10)) % 10 === digitAt(value, 17);
}

/** Singapore, NRIC and FIN of the series S, T, F and G; M since 2022. */
export function isNric(value: string): boolean {
  if (!/^[STFGM]\d{7}[A-Z]$/.test(value)) return false;
  const series = value[0]!;
  const offset = series === 'T' || series === 'G' ? 4 : series === 'M' ? 3 : 0;
  const rest = (weightedSum(value.slice(1), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  const letters = 'ST'.includes(series) ? 'JZIHGFEDCBA' : series === 'M' ? 'KLJNPQRTUWX' : 'XWUTRQPNMLK';
  const at = series === 'M' ? 10 - rest : rest;
  return letters[at] === value[8];
}

/** Turkey, T.C. kimlik numarası. */
export function isTurkishId(value: string): boolean {
  if (!/^[1-9]\d{10}$/.test(value)) return false;
  const tenth = (weightedSum(value, [7, -1, 7, -1, 7, -1, 7, -1, 7]) + 100) % 10;
  return tenth === digitAt(value, 9) && weightedSum(value, Array(10).fill(1)) % 10 === digitAt(value, 10);
}

/** Portugal, NIF. */
export function isPortugueseNif(value: string): boolean {
  if (!/^[1-35689]\d{8}$/.test(value)) return false;
  const rest = weightedSum(value, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === digitAt(value, 8);
}

/** Switzerland, AHV number: EAN-13 with 756 in front. */
export function isAhv(value: string): boolean {
  return /^756\d{10}$/.test(value) && weightedSum(value, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

/** UK, NHS number: modulo 11. */
export function isNhsNumber(value: string): boolean {
  return /^\d{10}$/.test(value) && weightedSum(value, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

/** US, ITIN: 9, then a group that the IRS issues; 987-65-432x is reserved for advertisements. */
export function isItin(value: string): boolean {
  return /^(?!98765432)9\d\d(?:5\d|6[0-5]|7\d|8[0-8]|9[0-2]|9[4-9])\d{4}$/.test(value);
}

/** US, nine-digit SSN: area 000, 666 and 900-999, group 00 and serial 0000 were never issued (SSA, RM 10201.035). */
export function isSsn(digits: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/.test(digits);
}
