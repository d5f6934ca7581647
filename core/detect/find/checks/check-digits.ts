/** Check digits over compact values: digits and upper-case letters, nothing else. */

/** The Luhn check (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = i % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The number modulo 97, with letters as 10 to 35 (ISO/IEC 7064). */
export function mod97(value: string): number {
  let remainder = 0;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    remainder = unit <= 57 ? (remainder * 10 + unit - 48) % 97 : (remainder * 100 + unit - 55) % 97;
  }
  return remainder;
}

/** The sum of the digits, each multiplied by its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * (digits.charCodeAt(i) - 48), 0);
}

/** The product in the dihedral group of order ten, for the Verhoeff check. */
function dihedral(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : ((a + b) % 5) + 5;
  return b < 5 ? ((a - b) % 5) + 5 : (a - b + 5) % 5;
}

const VERHOEFF_STEP = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/** Verhoeff's check (1969), used by Aadhaar numbers. */
export function passesVerhoeff(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    for (let step = 0; step < i % 8; step++) digit = VERHOEFF_STEP[digit]!;
    sum = dihedral(sum, digit);
  }
  return sum === 0;
}

/** ISO/IEC 7064, MOD 11,10, used by German tax numbers. */
export function passesMod11And10(digits: string): boolean {
  let product = 10;
  for (let i = 0; i < digits.length - 1; i++) {
    const sum = (digits.charCodeAt(i) - 48 + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digits.charCodeAt(digits.length - 1) - 48;
}

/** Whether the month is 1 to 12, and the day can occur in it. */
export function isDayOfMonth(month: number, day: number): boolean {
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!
  );
}
