import { describeDetectorContract } from './contract.ts';
import { cvv, cvvAfterCard } from './cvv.ts';

describeDetectorContract(cvv, {
  finds: [
    ['CVV: 123', ['123']],
    ['cvv2=4321', ['4321']],
    ['the card security code is 917.', ['917']],
    ['{"cvc":"042"}', ['042']],
    ['Visa ending 4242, security code 311', ['311']],
    ['3 digits on the back: 555', ['555']],
  ],
  ignores: [
    'The CVV has 3 digits',
    'cvv failed 300 times',
    'CVC 12345',
    'security code 482913',
    'door security code 4821',
    'cvvs of 2024 cards: none',
    'recvv 123',
    'cvv took 120 ms',
  ],
  hostile: ['cvv ', 'cvv 12', 'cvv,\n', 'security code ', 'cvv: '],
});

describeDetectorContract(cvvAfterCard, {
  finds: [
    ['4111 1111 1111 1111 12/29 123', ['123']],
    ['4111111111111111|04|2028|907', ['907']],
    ['378282246310005, exp 11/27, 1234', ['1234']],
  ],
  ignores: [
    '4111 1111 1111 1111 12/29',
    '4111111111111111 13/29 123',
    '4111 1111 1111 1111 12/29 12345',
    '1234 12/29 123',
  ],
  hostile: ['4111 1111 1111 1111 12/29 ', '4111111111111111', '12/29 123 ', '1'],
});
