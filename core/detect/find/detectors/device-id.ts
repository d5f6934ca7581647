import { passesLuhn } from '../checks/check-digits.ts';
import { pairs } from '../labels/label.ts';
import { labelledDetector } from '../labels/labelled.ts';
import { checkedBy, identifierShape, patternShape } from '../labels/shape.ts';
import labels from '../lists/device-id.json' with { type: 'json' };

const UUID = patternShape('[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 0.93);
const hasDigit = (value: string): number => (/\d/.test(value) ? 0.9 : 0);
const HEX = patternShape('[0-9a-f]{14,64}', hasDigit);
const UDID = patternShape('[0-9a-f]{8}-[0-9a-f]{16}', 0.93);
const SERIAL = identifierShape({ min: 8, max: 20, minDigits: 2, confidence: 0.8 });
const NAMED = identifierShape({ min: 6, max: 40, minDigits: 3, confidence: 0.8 });
/** Hexadecimal digits: six pairs, three groups of four, or twelve digits. */
const MAC = patternShape(
  '(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\\1){4}[0-9a-f]{2}|[0-9a-f]{4}\\.[0-9a-f]{4}\\.[0-9a-f]{4}|[0-9a-f]{12}',
  0.96,
);
const IMEI = patternShape(
  '\\d{2}[ -]?\\d{6}[ -]?\\d{6}[ -]?\\d(?:[ -]?\\d)?',
  checkedBy(passesLuhn, 0.97, 0.75),
);

const DEVICE =
  /device|phone|laptop|tablet|ipad|iphone|android|macbook|computer|handset|watch|imei|\bmac\b|hardware|notebook|samsung|pixel|apple|employee|issued to|assigned/i;

/** Identifiers of phones, computers and advertising networks after words that name them. */
export const deviceId = labelledDetector({
  name: 'device-id',
  version: 1,
  code: 'PII_LEAK',
  entity: 'DEVICE_ID',
  groups: [
    { labels: ['imei', 'imei1', 'imei2', 'imeis', 'imeisv'], shapes: [IMEI] },
    { labels: ['meid', 'esn'], shapes: [patternShape('[0-9a-f]{14}|[0-9a-f]{8}|\\d{18}|\\d{11}', hasDigit)] },
    { labels: ['iccid', 'sim card', 'sim serial'], shapes: [patternShape('89\\d(?:[ -]?\\d){15,17}', 0.93)] },
    { labels: ['imsi'], shapes: [patternShape('\\d{14,15}', 0.93)] },
    {
      labels: ['mac', 'mac address', 'mac addr', 'hwaddr', 'ethernet address', 'wifi address', 'bssid'],
      shapes: [MAC],
    },
    {
      labels: labels.ids,
      shapes: [UUID, UDID, HEX, NAMED],
    },
    {
      labels: pairs(labels.devices, ['serial', 'serial number', 's/n']),
      shapes: [SERIAL],
    },
    {
      labels: ['serial', 'serial number', 's/n', 'seriennummer', 'numéro de série', 'número de serie'],
      near: DEVICE,
      unless: /licen[cs]e|product key|invoice|port\b|console|dishwasher|washing|oven|boiler/i,
      shapes: [SERIAL],
    },
  ],
});
