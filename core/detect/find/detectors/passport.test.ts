import { describeDetectorContract } from './contract.ts';
import { passport } from './passport.ts';

describeDetectorContract(passport, {
  finds: [
    ['Passport number: 533401234', ['533401234']],
    ['my passport is AB1234567, ok?', ['AB1234567']],
    ['"passportNumber":"C01X00T47"', ['C01X00T47']],
    ['PASSPORT_NO=12AB34567', ['12AB34567']],
    ['Reisepass C01X00T478', ['C01X00T478']],
    ['name,passport,city\nJo,533401234,Bern\nLee,AB1234567,Ulm\n', ['533401234', 'AB1234567']],
    ['533401234 (passport)', ['533401234']],
    ['533401234 is her passport number', ['533401234']],
    ['| Passport | Phone |\n|---|---|\n| 533401234 | 415 |\n', ['533401234']],
    ['Passport (issued 12/03/2019): 533401234', ['533401234']],
    ['Passport\n533401234', ['533401234']],
  ],
  ignores: [
    'passport expires 12/2030',
    'the passport costs 130 dollars',
    'passport and phone 4155550123',
    'passport.js version 0.7.0',
    'a passport issued on 2019-04-12',
    'passport order 448190233',
    'passporting 533401234',
    'passport for a price of 12345678',
  ],
  hostile: [
    'passport ',
    'passport,',
    'passport,\n',
    'passport 1 ',
    'passport number is ',
    'passport\n\n',
    '|passport|\n',
    'passport (is my ',
  ],
});
