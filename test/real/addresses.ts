import { PART_SETTINGS, type PartName } from '../../deploy/local/part-names.ts';

const addressVariable = (part: PartName): string => `TEST_${PART_SETTINGS[part]}`;
const reasonVariable = (part: PartName): string => `${addressVariable(part)}_MISSING`;

export type FoundPart = { readonly address: string } | { readonly missing: string };

/** Tells the tests where a part answers, or why it could not be had. The workers of jest inherit it. */
export function announcePart(part: PartName, found: FoundPart): void {
  if ('address' in found) process.env[addressVariable(part)] = found.address;
  else process.env[reasonVariable(part)] = found.missing;
}

export function announcedPart(part: PartName): FoundPart {
  const address = process.env[addressVariable(part)];
  if (address !== undefined) return { address };
  return { missing: process.env[reasonVariable(part)] ?? 'run it with "npm run test:real"' };
}
