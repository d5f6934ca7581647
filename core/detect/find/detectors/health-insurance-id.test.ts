import { describeDetectorContract } from './contract.ts';
import { healthInsuranceId, medicareId } from './health-insurance-id.ts';

describeDetectorContract(healthInsuranceId, {
  finds: [
    ['health insurance ID XYZ123456789', ['XYZ123456789']],
    ['Member ID: W123456789 (Aetna)', ['W123456789']],
    ['NHS number 943 476 5919', ['943 476 5919']],
    ['Medicare 1EG4-TE5-MK73', ['1EG4-TE5-MK73']],
    ['insurance policy number 8812-3345-01 for the hospital', ['8812-3345-01']],
    ['Versichertennummer A123456780', ['A123456780']],
  ],
  ignores: [
    'car insurance policy number 7781200945',
    'gym member id 88123441',
    'insurance costs 12500000',
    'the NHS has 1200000 staff',
    'members: 10450023',
    'policy version 2026011203',
  ],
  hostile: ['member ', 'policy ', 'insurance id ', 'nhs ', 'medicare 1', 'member id,\n'],
});

describeDetectorContract(medicareId, {
  finds: [
    ['his card says 1EG4-TE5-MK73', ['1EG4-TE5-MK73']],
    ['1EG4TE5MK73', ['1EG4TE5MK73']],
  ],
  ignores: ['1EG4-TE5-MK7', '1SG4-TE5-MK73', 'x1EG4TE5MK73'],
  hostile: ['1', '1EG4', '1EG4-TE5-MK73 '],
});
