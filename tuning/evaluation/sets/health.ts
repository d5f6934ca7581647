import { type Kind, kind } from './kind.ts';
import { digits, hex, letters, patterns, uuid } from './values.ts';

/** Numbers of patients and biometric ids. */
export const HEALTH: readonly Kind[] = [
  kind(
    'MEDICAL_RECORD_NUMBER',
    patterns('#######', '########', '@@######', 'MR-######', '###-##-###', '@#######'),
  ),
  kind(
    'HEALTH_INSURANCE_ID',
    patterns('@@@#########', '#########', '@##########', '@@@-####-####', '####-####-###'),
  ),
  kind('PRESCRIPTION_NUMBER', patterns('#######', '########', '@#######', '######-####', '@@-#######')),
  kind('BIOMETRIC_ID', (random) =>
    random.pick([
      () => `FP-${digits(random, 6)}`,
      () => hex(random, 32),
      () => uuid(random),
      () => `BIO${digits(random, 8)}`,
      () => `${letters(random, 2)}-${digits(random, 4)}-${digits(random, 4)}`,
    ])(),
  ),
];
