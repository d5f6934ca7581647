import { dateShape } from '../labels/date.ts';
import { labelledDetector } from '../labels/labelled.ts';
import labels from '../lists/date-of-birth.json' with { type: 'json' };

/** Dates that words identify as a date of birth. */
export const dateOfBirth = labelledDetector({
  name: 'date-of-birth',
  version: 1,
  code: 'PII_LEAK',
  entity: 'DATE_OF_BIRTH',
  groups: [
    {
      labels: labels.names,
      unless: /\b(?:company|project|idea|movement|band|festival)\b/i,
      shapes: [dateShape],
    },
  ],
});
