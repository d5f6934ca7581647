import { NOTICE } from '#schemas/api/evidence/attestations.ts';
import { type Manifest, PACKAGE_FORMAT } from '#schemas/api/evidence/evidence-package.ts';

/** The text that is signed: a function of what it says, in one form. It ends with a line break, as texts of notes do. */
export const manifestText = (of: Omit<Manifest, 'format' | 'notice'>): string =>
  prettyJson({ format: PACKAGE_FORMAT, notice: NOTICE, ...of });

/** JSON for people: indented, with a line break at its end. */
export const prettyJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
