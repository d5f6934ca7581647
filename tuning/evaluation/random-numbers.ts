import { getCountrySpecifications } from 'ibantools';
import { iban } from '#core/detect/find/detectors/iban.ts';
import { phone } from '#core/detect/find/detectors/phone.ts';
import type { EvaluatedItem } from '../samples/items.ts';
import { seededRandom } from '../samples/random.ts';

const SEED = 5_309;
const OF_EACH_COUNTRY = 20;
const PHONES = 20_000;
const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const BASE = 36;
const MODULUS = 97;

const random = seededRandom(SEED);

/** Random letters and digits, of the length that the country's numbers have, with valid check digits. */
function randomIban(country: string, length: number): string {
  const account = random.string(LETTERS_AND_DIGITS, length - 4);
  const number = Array.from(`${account}${country}00`, (unit) => Number.parseInt(unit, BASE)).join('');
  return `${country}${String(MODULUS + 1 - Number(BigInt(number) % BigInt(MODULUS))).padStart(2, '0')}${account}`;
}

function randomIbans(): string[] {
  const countries = Object.entries(getCountrySpecifications()).filter(
    ([, { chars, IBANRegistry }]) => IBANRegistry && chars !== null,
  );
  return countries.flatMap(([country, { chars }]) =>
    Array.from({ length: OF_EACH_COUNTRY }, () => randomIban(country, chars ?? 0)),
  );
}

const randomPhone = (): string =>
  `+${1 + random.below(9)}${random.string('0123456789', 6 + random.below(9))}`;

function accepted(detector: typeof iban, item: string, texts: readonly string[], how: string): EvaluatedItem {
  const count = texts.filter((text) => detector.search(text).length > 0).length;
  return {
    item,
    figure: 'share taken',
    value: count / texts.length,
    first: null,
    goal: null,
    better: 'LOWER',
    how: `${how}; ${count} of ${texts.length}`,
  };
}

/** How many random numbers are mistaken for assigned ones. */
export function randomNumbers(): readonly EvaluatedItem[] {
  return [
    accepted(
      iban,
      'IBAN: random account numbers',
      randomIbans(),
      'letters and digits with right check digits, 20 of each country of the registry',
    ),
    accepted(
      phone,
      'PHONE: random digits after +',
      Array.from({ length: PHONES }, randomPhone),
      '7 to 15 digits in one run, the first not 0, nothing around them',
    ),
  ];
}
