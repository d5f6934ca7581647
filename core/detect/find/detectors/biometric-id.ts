import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { identifierShape, patternShape } from '../labels/shape.ts';
import labels from '../lists/biometric-id.json' with { type: 'json' };

const SHAPES = [
  patternShape('[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 0.92),
  patternShape('(?:0x)?[0-9a-f]{16,128}', (value) => (/\d/.test(value) ? 0.88 : 0)),
  patternShape('[A-Z]{1,8}(?:[-_][A-Z]{1,8}){0,3}[-_]?[A-Z0-9]*(?:[-_.][A-Z0-9]{1,24}){0,5}', rateName),
  identifierShape({ min: 6, max: 40, minDigits: 3, confidence: 0.85 }),
];

/** "FP-7C21-99", "vp_883a91c2": a name of a minimum length that contains digits. */
function rateName(value: string): number {
  const digits = value.match(/\d/g)?.length ?? 0;
  return digits >= 3 && value.length >= 6 && !/\.\w{2,4}$/.test(value) ? 0.85 : 0;
}

const WHAT = labels.what;

/** IDs under which fingerprints, faces, voices and irises are stored. */
export const biometricId = labelledDetector({
  name: 'biometric-id',
  version: 1,
  code: 'HEALTH_DATA',
  entity: 'BIOMETRIC_ID',
  groups: [
    {
      labels: [
        ...pairs(labels.traits, WHAT),
        ...pairs(['biometric', 'palm vein', 'palmprint', 'fingerabdruck', 'thumbprint', 'gait'], WHAT),
        ...labels.systems,
        ...labels.general,
      ],
      unless: /\b(?:ssh|tls|ssl|gpg|pgp|cert\w*|key|public|browser|device|typeface|font|sha-?\d+|md5)\b/i,
      shapes: SHAPES,
    },
    {
      labels: ['fingerprint', 'fingerprints', 'thumbprint', 'iris', 'palmprint'],
      near: /biometr|enrol|scanner|template|employee|subject|suspect|afis|visitor|clock/i,
      unless: /\b(?:ssh|tls|ssl|gpg|pgp|cert\w*|key|public|browser|device|sha-?\d+|md5)\b/i,
      shapes: SHAPES,
    },
  ],
});
