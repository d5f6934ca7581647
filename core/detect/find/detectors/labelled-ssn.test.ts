import { describeDetectorContract } from './contract.ts';
import { labelledSsn } from './labelled-ssn.ts';

describeDetectorContract(labelledSsn, {
  finds: [
    ['name,ssn\nJane Roe,536221234\nJohn Doe,536221235', ['536221234', '536221235']],
    ['id;SSN;note\n1;536 22 1234;ok', ['536 22 1234']],
    ['id\tsocial_security_number\n1\t"536-22-1234"', ['536-22-1234']],
    ['| name | ssn |\n|---|---|\n| Jane | 536221234 |', ['536221234']],
  ],
  ignores: [
    'id,order\n1,536221234',
    'ssn,order\nnone,536221234',
    'name,ssn\nJane Roe,000221234',
    'name,ssn\nJane Roe,5362212345',
    'ssn_count: 536,221,234',
  ],
  hostile: ['ssn,', 'ssn,a\n1,', 'social security ', 'ssn 536221234\n'],
});
