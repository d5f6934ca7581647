import { describe } from '@jest/globals';
import type { PartName } from '../../deploy/local/part-names.ts';
import { announcedPart } from '../real/addresses.ts';

/**
 * Tests against a real part that the global set-up of `jest.real.json` started. When it could not be had they are
 * reported as skipped, with the reason in their name (the build counts a skipped test as failed). `address` is the
 * value of the part's setting. The part is everybody's: names of topics, keys and tables have to be unique.
 */
export function describeOn(part: PartName, name: string, body: (address: string) => void): void {
  const found = announcedPart(part);
  if ('address' in found) describe(name, () => body(found.address));
  else describe.skip(`${name} (skipped: ${found.missing})`, () => body('nowhere'));
}
