import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { identifierShape, patternShape } from '../labels/shape.ts';
import labels from '../lists/driver-license.json' with { type: 'json' };

/** United Kingdom: five characters of the name, six of the birthday, initials and check characters (DVLA). */
const BRITISH = patternShape('[A-Z][A-Z9]{4} ?\\d{6} ?[A-Z9]{2} ?[A-Z0-9]{3}(?: ?\\d\\d)?', 0.95);

/**
 * US states issue 1 to 14 characters, of which the short ones match too many other things; other countries up to 18.
 */
const SHAPES = [
  identifierShape({ min: 6, max: 18, minDigits: 5, confidence: 0.9 }),
  BRITISH,
  // Washington: letters of the name, asterisks, check digit and month.
  patternShape('[A-Z][A-Z*]{4,6}[A-Z0-9*]{5,7}', (value) =>
    (value.match(/\d/g)?.length ?? 0) >= 2 ? 0.7 : 0,
  ),
];

/** Driver's licence numbers after words that name them. */
export const driverLicense = labelledDetector({
  name: 'driver-license',
  version: 1,
  code: 'PII_LEAK',
  entity: 'DRIVER_LICENSE',
  groups: [
    {
      labels: [
        ...pairs(
          ['driver', 'drivers', "driver's", "drivers'", 'driving', "driver 's"],
          ['license', 'licence', 'lic', 'permit'],
        ),
        ...['dl number', 'dl no', 'dl #', 'dln', 'dlnum', 'd.l.', 'provisional licence', 'learner permit'],
        ...labels.german,
        ...labels.spanishAndFrench,
        ...labels.otherLanguages,
        ...['førerkort', 'kørekort', 'ajokortti'],
      ],
      shapes: SHAPES,
    },
    // Upper case distinguishes licences from downloads.
    { labels: ['dl'], near: /\bDL\b|\bdl["=]|driv|\bdmv\b|licen[cs]e/, shapes: SHAPES },
    { labels: ['license', 'licence'], shapes: [BRITISH] },
    {
      labels: ['license', 'licence', 'lic'],
      near: /driv|\bdmv\b|dvla|motorist|vehicle|traffic|\bstate\b|learner/i,
      unless: /(?:business|medical|nursing|software|plate|key|product|fishing|hunting|pharmacy|dealer)/i,
      shapes: SHAPES,
    },
  ],
});
