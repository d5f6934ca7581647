import type { Attack } from '../attack.ts';
import { get, head, KIB } from '../requests.ts';

const silentConnections: Attack = {
  name: '2,000 connections that send nothing, or half a head',
  answers: ['connected'],
  start: ({ sockets }) => {
    sockets.stall({ connections: 1_000, first: () => Buffer.alloc(0) });
    sockets.stall({
      connections: 1_000,
      first: () => Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n'),
      drip: { piece: Buffer.from('a: b\r\n'), everyMs: 2_000 },
    });
  },
};

const comingAndGoing: Attack = {
  name: 'connections opened and closed continuously',
  answers: [404],
  start: ({ sockets }) => {
    sockets.flood({ connections: 200, next: () => head('GET', '/nothing', { connection: 'close' }) });
  },
};

const PIPELINED_BYTES = 64 * KIB;
/** Few enough that the connection stays open. */
const ALLOWED_BEHIND = 30;

const pipelined: Attack = {
  name: 'thousands of pipelined requests on a connection',
  answers: [200, 404, 'closed'],
  start: ({ sockets, accounts }) => {
    const [account] = accounts;
    if (account === undefined) throw new Error('this attack needs a customer');
    const times = (one: Buffer, count: number): Buffer =>
      Buffer.concat(Array.from({ length: count }, () => one));
    const ones = [
      head('GET', '/nothing'),
      head('GET', '/%zz'),
      head('GET', '/health/live'),
      head('GET', '/audits', { 'x-service-key': 'nonsense' }),
      get(account, '/sandboxes'),
      get(account, '/dashboard/stats'),
    ];
    for (const one of ones) {
      const many = times(one, Math.floor(PIPELINED_BYTES / one.length));
      const allowed = times(one, ALLOWED_BEHIND);
      sockets.flood({ connections: 8, next: () => many, answersPerShot: Number.POSITIVE_INFINITY });
      sockets.flood({ connections: 8, next: () => allowed, answersPerShot: ALLOWED_BEHIND });
    }
  },
};

/** Shows how much of the machine the attacker's process takes by itself: the service is not to blame for that. */
const talksToNobody: Attack = {
  name: 'an attacker that only computes',
  answers: [],
  start: ({ sockets }) => sockets.compute(),
};

export const CONNECTION_ATTACKS: readonly Attack[] = [
  silentConnections,
  comingAndGoing,
  pipelined,
  talksToNobody,
];
