import { describeDetectorContract } from './contract.ts';
import { dateOfBirth } from './date-of-birth.ts';

describeDetectorContract(dateOfBirth, {
  finds: [
    ['DOB: 12/03/1980', ['12/03/1980']],
    ['born on March 12, 1980 in Bern', ['March 12, 1980']],
    ['"dateOfBirth":"1980-03-12"', ['1980-03-12']],
    ['birth date: 12th of March 1980', ['12th of March 1980']],
    ['geboren am 12. März 1980', ['12. März 1980']],
    ['née le 12 mars 1980', ['12 mars 1980']],
    ['fecha de nacimiento 12 de marzo de 1980', ['12 de marzo de 1980']],
    ['Date of birth (dd/mm/yyyy): 12.03.80', ['12.03.80']],
    ['12/03/1980 (DOB)', ['12/03/1980']],
    ['name,dob\nJo,1980-03-12\nLee,1981-04-01\n', ['1980-03-12', '1981-04-01']],
    ['born 12-Mar-1980', ['12-Mar-1980']],
  ],
  ignores: [
    'born in 1980',
    'a stubborn 12/03/1980',
    'the newborn came 12/03/1980',
    'DOB 99/99/1980',
    'born on 14 March 1879',
    'the company was born on 12/03/2015',
    'birthday party for 25 people',
    'invoice date 12/03/1980',
  ],
  hostile: ['born ', 'dob ', 'dob 1', 'born 12 ', 'birth\n', 'dob,\n', 'born march ', 'née le '],
});
