import type { Kind } from './kind.ts';
import { completed, digits, hex, luhnHolds, type Maker, patterns, uuid } from './values.ts';

const imei: Maker = (random) => completed(`35${digits(random, 12)}`, luhnHolds);
const mac: Maker = (random) => Array.from({ length: 6 }, () => hex(random, 2)).join(random.pick([':', '-']));
const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Identifiers of devices and sessions. */
export const DEVICES_AND_SESSIONS: readonly Kind[] = [
  {
    entity: 'DEVICE_ID',
    labels: { tuned: ['IMEI', 'MAC address'], held: [] },
    make: (random) => random.pick([imei, mac])(random),
    none: {
      tuned: [
        'The serial was 12 episodes long.',
        'uptime 12:34:56:78',
        'request id 550e8400-e29b-41d4-a716-446655440000',
        'The device idles at 1200000 cycles.',
        'Serial killers: 12000345 readers.',
        'range aa:bb:cc is a vendor prefix',
        'On my Mac 20260101 is shown as the date.',
        'Device 12 of 40 is online since 2026-01-04.',
        'Serial output at 115200 baud',
        'mac and cheese for 12, order 4471120',
        'Device driver 31.0.101.2115',
        'serial number of the episode: 12',
        'a mac mini from 2024 for 599',
        'device manager event 219, code 0xC0000365',
      ],
      held: ['my phone has 8192 MB', 'device count 12045678'],
    },
  },
  {
    entity: 'SESSION_TOKEN',
    labels: {
      tuned: [
        'session token',
        'PHPSESSID',
        'session_id',
        'JSESSIONID',
        'connect.sid',
        'session cookie',
        'sessionToken',
        'auth token',
        'access_token',
        'session key',
        'refresh token',
        'X-Auth-Token',
        'ASP.NET_SessionId',
        'login session ID',
        'user session token',
        'sessid',
        'authToken',
        'csrf token',
        'id_token',
        'session ID',
        'auth_token',
        'session cookie value',
        'SESSIONID',
        'login token',
      ],
      held: ['session token', 'PHPSESSID', 'refresh_token', 'session id'],
    },
    make: (random) => random.string(TOKEN, 28 + random.below(12)),
    none: {
      tuned: [
        'The session lasted 45 minutes.',
        'session: planning-meeting-for-the-new-office-building',
        'token budget: 128000 per request',
        'session_timeout=3600 and session_path=/var/lib/sessions',
        'The bearer of good news came at 12:30.',
        'session = requests.Session()',
        'session: 2026-02-14T12:00:00Z to 2026-02-14T13:30:00Z',
        'Session 12 starts at 14:30 in room B204.',
        'The token bucket refills 1000 per second.',
        'session-based-recommendation-with-graph-neural-networks-2019',
        'access token lifetime: 3600',
        'Our session on 2026-02-03 covers tokenization-of-text-2026.',
        'next session in room Session2026MainHall',
        'The access token is stored in localStorage.',
        'max session count 100000000000000000',
      ],
      held: ['A session with 30 slides from 2025-11-12.', 'token count: 128000'],
    },
  },
];

/** Devices have different labels per format. */
export const DEVICES: readonly (readonly [readonly string[], Maker])[] = [
  [['IMEI', 'IMEI number', 'phone IMEI'], imei],
  [['MAC address', 'Wi-Fi MAC', 'MAC'], mac],
  [['advertising ID', 'IDFA', 'device ID', 'GAID'], uuid],
  [['Android ID'], (random) => hex(random, 16)],
  [['device serial number', 'laptop serial number'], patterns('C02@#@#*@#*@', 'R58M#######')],
];
