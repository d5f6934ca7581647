import { describeDetectorContract } from './contract.ts';
import { nationalId } from './national-id.ts';

describeDetectorContract(nationalId, {
  finds: [
    ['National Insurance number AB 12 34 56 C', ['AB 12 34 56 C']],
    ['DNI: 12345678Z', ['12345678Z']],
    ['nie X1234567L', ['X1234567L']],
    ['codice fiscale RSSMRA85T10A562S', ['RSSMRA85T10A562S']],
    ['Steuer-ID 86 095 742 719', ['86 095 742 719']],
    ['PESEL 44051401359', ['44051401359']],
    ['BSN 111222333', ['111222333']],
    ['Aadhaar 2345 6789 0124', ['2345 6789 0124']],
    ['PAN card AAAPL1234C', ['AAAPL1234C']],
    ['SIN 130-692-544', ['130-692-544']],
    ['TFN: 123 456 782', ['123 456 782']],
    ['CURP BOXW310820HNERXN09', ['BOXW310820HNERXN09']],
    ['NRIC S1234567D', ['S1234567D']],
    ['CPF 529.982.247-25', ['529.982.247-25']],
    ['national id 8812019934', ['8812019934']],
    ['ITIN 912-70-1234', ['912-70-1234']],
    ['Personalausweis L01X00T47', ['L01X00T47']],
  ],
  ignores: [
    'the pan holds 1200 g',
    'using 130692544 bytes',
    'business 123456782',
    'a national id card costs 30',
    'it is a sin to waste 100000 litres',
    'vehicle id number 12345678',
    'national identity is discussed on page 12',
    'finance 12345678',
    'PAN AAAZL1234',
  ],
  hostile: ['sin ', 'pan ', 'national id ', 'dni 1', 'id card\n', 'nie,\n', 'tax id ', 'cpf 1'],
});
