import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { identifierShape } from '../labels/shape.ts';
import labels from '../lists/medical-record-number.json' with { type: 'json' };

/** Patient numbers of hospitals and practices. */
export const medicalRecordNumber = labelledDetector({
  name: 'medical-record-number',
  version: 1,
  code: 'HEALTH_DATA',
  entity: 'MEDICAL_RECORD_NUMBER',
  groups: [
    {
      labels: [
        ...labels.names,
        ...labels.records,
        ...pairs(
          ['patient', 'chart', 'hospital', 'pt'],
          ['id', 'no', 'number', 'identifier', 'identification', '#'],
        ),
        ...labels.charts,
        ...labels.otherLanguages,
        ...['cartella clinica', 'prontuário', 'nhc'],
      ],
      unless: /patent/i,
      shapes: [identifierShape({ min: 5, max: 16, minDigits: 4, confidence: 0.92 })],
    },
  ],
});
