import { describeDetectorContract } from './contract.ts';
import { phoneField } from './phone-field.ts';

describeDetectorContract(phoneField, {
  finds: [
    ['name,phone\nJo,5551234567\nLee,415-555-0123\n', ['5551234567', '415-555-0123']],
    ['| Name | Phone |\n|---|---|\n| Jo | 030 1234567 |\n', ['030 1234567']],
    ['Phone number:\n  668 5702', ['668 5702']],
    ['"mobileNumber": "5551234567"', ['5551234567']],
  ],
  ignores: [
    'phone model 12345678',
    'the phone costs 1234567',
    'phones 2024-10-12',
    'phone of 4.12345678 inches',
  ],
  hostile: ['phone ', 'phone,', 'phone,\n', 'phone 1', 'phone number '],
});
