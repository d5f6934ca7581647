import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { identifierShape } from '../labels/shape.ts';

const SHAPES = [identifierShape({ min: 6, max: 16, minDigits: 5, confidence: 0.9 })];

/** Prescription numbers after words that name them. */
export const prescriptionNumber = labelledDetector({
  name: 'prescription-number',
  version: 1,
  code: 'HEALTH_DATA',
  entity: 'PRESCRIPTION_NUMBER',
  groups: [
    {
      labels: [
        ...pairs(['script', 'refill', 'rx refill'], ['number', 'no', 'id', '#']),
        ...[
          'prescription',
          'prescriptions',
          'e prescription',
          'eprescription',
          'rezeptnummer',
          'rezept nr',
          'rezept',
        ],
        ...['ordonnance', 'receta', 'receta médica', 'ricetta', 'nre', 'prescrição', 'scriptnummer'],
      ],
      shapes: SHAPES,
    },
    {
      labels: ['rx', 'rxs', 'rx number'],
      // Excludes names of graphics cards and radio channels: "RX 7900", "RX/TX".
      unless: /radeon|\bgpu|\btx\b|\bamd\b|packet|bytes/i,
      shapes: SHAPES,
    },
  ],
});
