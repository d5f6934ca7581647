import { describeDetectorContract } from './contract.ts';
import { deviceId } from './device-id.ts';

describeDetectorContract(deviceId, {
  finds: [
    ['IMEI: 490154203237518', ['490154203237518']],
    ['imei 49-015420-323751-8', ['49-015420-323751-8']],
    ['MAC address 00:1A:2B:3C:4D:5E', ['00:1A:2B:3C:4D:5E']],
    ['mac=001a.2b3c.4d5e', ['001a.2b3c.4d5e']],
    ['IDFA 550e8400-e29b-41d4-a716-446655440000', ['550e8400-e29b-41d4-a716-446655440000']],
    ['"android_id": "9774d56d682e549c"', ['9774d56d682e549c']],
    ['laptop serial number C02XG0FDJGH5', ['C02XG0FDJGH5']],
    ['the phone (serial: R58M12ABCDE)', ['R58M12ABCDE']],
  ],
  ignores: [
    'serial killers 12000345',
    'on my Mac 20260101',
    'request id 550e8400-e29b-41d4-a716-446655440000',
    'dishwasher serial number 123456789',
    'device at 1200000 cycles',
    'serial port 12345678',
  ],
  hostile: ['imei ', 'mac ', 'device id ', 'serial ', 'imei 1', 'serial,\n', 'mac 00:'],
});
