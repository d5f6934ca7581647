import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isValidPhoneNumber,
  Metadata,
} from 'libphonenumber-js/core';
// Metadata with patterns for every kind of number: with the smaller sets, twice as many numbers would count as
// assigned.
import metadata from 'libphonenumber-js/max/metadata';
import type { LibraryCalls } from '../library-calls.ts';

/** Codes without a country, such as freephone and satellite codes. */
const NOT_OF_A_COUNTRY = ['800', '808', '870', '878', '881', '882', '883', '888', '979'];

/** The possible lengths of a number after each country code. */
function possibleLengths(): ReadonlyMap<string, ReadonlySet<number>> {
  const plans = new Metadata(metadata);
  const lengths = new Map<string, Set<number>>();
  const add = (code: string, plan: string): void => {
    plans.selectNumberingPlan(plan as CountryCode);
    const known = lengths.get(code) ?? new Set();
    for (const length of plans.numberingPlan?.possibleLengths() ?? []) known.add(length);
    lengths.set(code, known);
  };
  for (const country of getCountries(metadata)) add(getCountryCallingCode(country, metadata), country);
  for (const code of NOT_OF_A_COUNTRY) add(code, code);
  return lengths;
}

const LENGTHS = possibleLengths();

/** N11 are service numbers; 9 is reserved as the middle digit of an area code (NANPA). */
export function isNorthAmerican(area: string, exchange: string): boolean {
  return !/^(?:.11|.9.|[01]..)$/.test(area) && !/^(?:.11|[01]..)$/.test(exchange);
}

/** E.164, including the country code. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 8;

/**
 * Whether the digits (country code and national number, no prefix) start with a code in use and have a matching length.
 */
function isPossible(digits: string): boolean {
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || digits.startsWith('0')) return false;
  return [1, 2, 3].some((count) => LENGTHS.get(digits.slice(0, count))?.has(digits.length - count) === true);
}

/** Whether the digits are an assigned number. If no library call is left, a possible number counts as assigned. */
type AssignmentStatus = 'ASSIGNED' | 'POSSIBLE' | 'NONE';

export function statusOf(digits: string, calls: LibraryCalls): AssignmentStatus {
  if (!isPossible(digits)) return 'NONE';
  if (!calls.take('PHONE_NUMBERS')) return 'ASSIGNED';
  return isValidPhoneNumber(`+${digits}`, metadata) ? 'ASSIGNED' : 'POSSIBLE';
}
