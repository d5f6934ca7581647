import { type Kind, kind } from './kind.ts';
import { completed, digits, hex, luhnHolds, type Maker, patterns, uuid } from './values.ts';

const imei: Maker = (random) => completed(`35${digits(random, 12)}`, luhnHolds);
const mac: Maker = (random) => Array.from({ length: 6 }, () => hex(random, 2)).join(random.pick([':', '-']));
const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Identifiers of devices and sessions. */
export const DEVICES_AND_SESSIONS: readonly Kind[] = [
  kind('DEVICE_ID', (random) => random.pick([imei, mac])(random)),
  kind('SESSION_TOKEN', (random) => random.string(TOKEN, 28 + random.below(12))),
];

/** Devices have different labels per format. */
export const DEVICES: readonly (readonly [readonly string[], Maker])[] = [
  [['IMEI', 'IMEI number', 'phone IMEI'], imei],
  [['MAC address', 'Wi-Fi MAC', 'MAC'], mac],
  [['advertising ID', 'IDFA', 'device ID', 'GAID'], uuid],
  [['Android ID'], (random) => hex(random, 16)],
  [['device serial number', 'laptop serial number'], patterns('C02@#@#*@#*@', 'R58M#######')],
];
