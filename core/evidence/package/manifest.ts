import { NOTICE } from '#schemas/api/evidence/attestations.ts';
import { type Manifest, PACKAGE_FORMAT } from '#schemas/api/evidence/evidence-package.ts';

/** The signed text, in one canonical form. Ends with a line break, as texts of notes do. */
export const manifestText = (of: Omit<Manifest, 'format' | 'notice'>): string =>
  prettyJson({ format: PACKAGE_FORMAT, notice: NOTICE, ...of });

/** JSON for people: indented, with a final line break. */
export const prettyJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
