import { describeDetectorContract } from './contract.ts';
import { macAddress } from './mac-address.ts';

describeDetectorContract(macAddress, {
  finds: [
    ['seen 00:1A:2B:3C:4D:5E, 00-1a-2b-3c-4d-5e', ['00:1A:2B:3C:4D:5E', '00-1a-2b-3c-4d-5e']],
    ['49-015420-323751-8', ['49-015420-323751-8']],
  ],
  ignores: [
    '00:00:00:00:00:00 ff:ff:ff:ff:ff:ff',
    '00:11:22:33:44:55:66:77',
    '16:27:ac:a5',
    '12:34:56',
    '00:1A-2B:3C:4D:5E',
    '49-015420-323751-9',
    '2001:db8:aa:bb:cc:dd:ee:ff',
  ],
  hostile: ['00:', '00:1A:2B:3C:4D:', '1', '49-', 'ab'],
});
