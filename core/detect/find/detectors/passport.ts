import { labelledDetector } from '../labels/labelled.ts';
import { identifierShape, patternShape } from '../labels/shape.ts';
import labels from '../lists/passport.json' with { type: 'json' };

const enoughDigits = (value: string): number => ((value.match(/\d/g)?.length ?? 0) >= 3 ? 0.85 : 0);

/** Passport numbers after words that name them; countries issue 6 to 10 letters and digits. */
export const passport = labelledDetector({
  name: 'passport',
  version: 1,
  code: 'PASSPORT',
  entity: 'PASSPORT',
  groups: [
    {
      labels: labels.names,
      shapes: [
        identifierShape({ min: 6, max: 11, minDigits: 5, confidence: 0.92 }),
        // Germany and the Netherlands mix letters and digits (ICAO document codes).
        patternShape('[A-Z][A-Z0-9]{8}\\d?', enoughDigits),
      ],
    },
  ],
});
