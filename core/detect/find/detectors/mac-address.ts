import { passesLuhn } from '../checks/check-digits.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { matchesOf } from '../pattern-search.ts';

/** Six pairs with a single kind of separator (IEEE 802), and IMEI numbers in their printed groups. */
const SHAPE =
  /(?<![\w:.-])(?:[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}\1[0-9a-fA-F]{2}\1[0-9a-fA-F]{2}\1[0-9a-fA-F]{2}\1[0-9a-fA-F]{2}|\d\d([ -])\d{6}\2\d{6}\2\d)(?![\w:]|[-.][0-9a-zA-Z])/g;

/** All zeroes, all ones, and multicast addresses identify no device. */
const NO_DEVICE = /^(?:00(?:.00){5}|ff(?:.ff){5}|01.00.5e|33.33)/i;

function deviceAt(value: string, start: number): Candidate | null {
  const isMac = value.length === 17;
  if (isMac && NO_DEVICE.test(value)) return null;
  if (!isMac && !passesLuhn(value.replaceAll(/\D/g, ''))) return null;
  const confidence = isMac ? 0.93 : 0.85;
  return { code: 'PII_LEAK', entity: 'DEVICE_ID', start, end: start + value.length, confidence };
}

/** Hardware addresses and printed IMEI numbers, by their format. */
export const macAddress: SearchDetector = {
  name: 'mac-address',
  version: 1,
  mayFind: (traits) => traits.digits >= 2,
  search: (text) => matchesOf(SHAPE, text, ([value], start) => deviceAt(value, start)),
};
