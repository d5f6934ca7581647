import { expect, test } from '#jest';
import { bankAccount, isRoutingNumber } from './bank-account.ts';
import { describeDetectorContract } from './contract.ts';

describeDetectorContract(bankAccount, {
  finds: [
    ['Account number: 12345678', ['12345678']],
    ['routing number 021000021, account number 9876543210', ['021000021', '9876543210']],
    ['sort code 20-00-00 account no. 55779911', ['20-00-00', '55779911']],
    ['{"accountNumber": "0012345678"}', ['0012345678']],
    ['wire it to account 4455667788 at the bank', ['4455667788']],
    ['Kontonummer 1234567890', ['1234567890']],
    ['CLABE 032180000118359719', ['032180000118359719']],
    ['BSB: 062-000', ['062-000']],
  ],
  ignores: [
    'AWS account number 123456789012',
    'account opened 2019-04-12',
    'my account has 1200 followers',
    'routing number 123456789',
    'accounting 12345678',
    'account_id: 12345678',
    'the account of 20000000 people',
    'on account of order 12345678',
  ],
  hostile: [
    'account ',
    'account number 1',
    'routing ',
    'acct#',
    'account number,\n',
    'sort code 20-',
    'account\n',
  ],
});

test('a routing number needs a valid district and check digit', () => {
  expect(['021000021', '011401533'].every(isRoutingNumber)).toBe(true);
  expect(['021000022', '991000021', '000000000'].some(isRoutingNumber)).toBe(false);
});
