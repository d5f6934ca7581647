import { describeDetectorContract } from './contract.ts';
import { driverLicense } from './driver-license.ts';

describeDetectorContract(driverLicense, {
  finds: [
    ["My driver's license number is F1628235", ['F1628235']],
    ['DL# D1234567', ['D1234567']],
    ['driver_license: "A123-4567-8901"', ['A123-4567-8901']],
    ['driving licence MORGA657054SM9IJ', ['MORGA657054SM9IJ']],
    ['license no. 12345678, issued by the DMV', ['12345678']],
    ['Führerschein B072RRE2I55 und mehr', ['B072RRE2I55']],
    ['driversLicense=S99988801', ['S99988801']],
  ],
  ignores: [
    'the driving licence was issued in 2019',
    'a public licence for 120000 books',
    'software license 12345678',
    'License plate 8ABC123',
    'driver version 471.11',
    'the licence covers everyone',
    'Apache License 2.0, January 2004',
    'driver 12345678',
    'dl 12345678',
  ],
  hostile: ['license ', 'driver license ', 'dl ', 'driving licence\n', 'license,\n', 'lic 1'],
});
