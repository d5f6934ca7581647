import { describeDetectorContract } from './contract.ts';
import { medicalRecordNumber } from './medical-record-number.ts';

describeDetectorContract(medicalRecordNumber, {
  finds: [
    ['MRN: 00123456', ['00123456']],
    ['medical record no. MR-448812', ['MR-448812']],
    ['"patientId": "P1234567"', ['P1234567']],
    ['Patient ID 88-12-993', ['88-12-993']],
    ['chart number 5512345', ['5512345']],
    ['MRN00123456', ['00123456']],
  ],
  ignores: [
    'medical records of 10 years',
    'the patient is 45',
    'patient 12 of 300',
    'patent number 1234567',
    'chart 14 of 20000',
    'a record of 9580000',
    'MRN missing since 2026-02-11',
  ],
  hostile: ['mrn ', 'patient id ', 'mrn,\n', 'medical record ', 'chart number 1'],
});
