import { describeDetectorContract } from './contract.ts';
import { prescriptionNumber } from './prescription-number.ts';

describeDetectorContract(prescriptionNumber, {
  finds: [
    ['Rx# 7654321', ['7654321']],
    ['prescription number: 0123456-00123', ['0123456-00123']],
    ['Rx 88123456 refill', ['88123456']],
    ['rxNumber = "RX7654321"', ['RX7654321']],
    ['refill no 4455667', ['4455667']],
  ],
  ignores: [
    'Radeon RX 7900 XTX 24576',
    'RX bytes:12045567',
    'prescription of 500 mg',
    'prescriptions cost 450 dollars',
    'the matrx 7654321',
    'Rx: amoxicillin 500 mg',
  ],
  hostile: ['rx ', 'rx#', 'prescription ', 'rx 1', 'rx,\n'],
});
