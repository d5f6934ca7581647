import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { identifierShape } from '../labels/shape.ts';

/** Patient numbers of hospitals and practices. */
export const medicalRecordNumber = labelledDetector({
  name: 'medical-record-number',
  version: 1,
  code: 'HEALTH_DATA',
  entity: 'MEDICAL_RECORD_NUMBER',
  groups: [
    {
      labels: [
        ...[
          'mrn',
          'm.r.n.',
          'emrn',
          'mrns',
          'medical record',
          'medical records',
          'med rec',
          'medical rec',
          'mr number',
          'mr no',
          'mr #',
          'med. rec',
          'med.rec',
          'health record',
        ],
        ...[
          'patient record',
          'hospital record',
          'clinical record',
          'ehr',
          'emr',
          'medical file',
          'patient file',
        ],
        ...pairs(
          ['patient', 'chart', 'hospital', 'pt'],
          ['id', 'no', 'number', 'identifier', 'identification', '#'],
        ),
        ...[
          'medical chart',
          'patient chart',
          'patientennummer',
          'patienten id',
          'patienten nr',
          'patientenakte',
        ],
        ...[
          'dossier médical',
          'dossier patient',
          'historia clínica',
          'historia clinica',
          'expediente médico',
        ],
        ...['cartella clinica', 'prontuário', 'nhc'],
      ],
      unless: /patent/i,
      shapes: [identifierShape({ min: 5, max: 16, minDigits: 4, confidence: 0.92 })],
    },
  ],
});
