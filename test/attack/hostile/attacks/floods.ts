import type { Attack } from '../attack.ts';
import { get, head, inTurn } from '../requests.ts';

const CONNECTIONS = 100;

const openPaths: Attack = {
  name: '100 connections on /metrics, /health/ready, /openapi.json and /docs without a key',
  answers: [200, 429],
  start: ({ sockets }) => {
    const paths = ['/metrics', '/health/ready', '/openapi.json', '/docs', '/docs/swagger-ui-bundle.js', '/'];
    sockets.flood({ connections: CONNECTIONS, next: inTurn(paths.map((path) => head('GET', path))) });
  },
};

const otherAddresses: Attack = {
  name: 'the same from 100 addresses',
  answers: [200],
  start: ({ sockets }) => {
    const paths = ['/metrics', '/health/ready', '/openapi.json', '/docs', '/health/live'];
    sockets.flood({
      connections: CONNECTIONS,
      next: inTurn(paths.map((path) => head('GET', path))),
      localAddress: (connection) => `127.0.1.${1 + connection}`,
    });
  },
};

const unknownPaths: Attack = {
  name: '100 connections on unknown paths',
  answers: [404],
  start: ({ sockets, accounts }) => {
    const [account] = accounts;
    if (account === undefined) throw new Error('this attack needs a customer');
    const shots = [
      head('GET', '/nothing'),
      head('POST', '/nothing', { 'content-length': '0' }),
      head('DELETE', '/audits'),
      head('GET', `/${'a/'.repeat(4_000)}`),
      head('GET', `/audits/${'%41'.repeat(2_500)}`),
      get(account, '/nothing'),
    ];
    sockets.flood({ connections: CONNECTIONS, next: inTurn(shots) });
  },
};

const wrongKeys: Attack = {
  name: '100 connections with wrong keys and secrets',
  answers: [401, 429],
  start: ({ sockets }) => {
    const keyOf = (number: number): string => `cas_${number.toString(16).padStart(48, '0')}`;
    sockets.flood({
      connections: CONNECTIONS,
      next: (number) =>
        inTurn([
          () => head('GET', '/audits', { 'x-service-key': keyOf(number) }),
          () => head('GET', '/dashboard/stats', { 'x-service-key': 'nonsense' }),
          () => head('GET', '/sandboxes'),
          () => head('GET', '/internal/customers', { 'x-internal-secret': keyOf(number) }),
        ])(number)(),
    });
  },
};

const aboveTheRate: Attack = {
  name: '100 connections of one customer above its rate',
  answers: [200, 429],
  accounts: 1,
  start: ({ sockets, accounts }) => {
    const shots = accounts.map((account) => get(account, '/sandboxes'));
    sockets.flood({ connections: CONNECTIONS, next: inTurn(shots) });
  },
};

const wrongHosts: Attack = {
  name: '100 connections with other hosts, and with invalid HTTP',
  answers: [400, 421],
  start: ({ sockets }) => {
    const shots = [
      head('GET', '/metrics', { host: 'rebound.example.org' }),
      head('GET', '/', { host: `${'a.'.repeat(6_000)}org` }),
      head('GET', '/', { host: '[::1' }),
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n'),
      Buffer.from('\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\r\n\r\n', 'latin1'),
      Buffer.from('GET / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'),
    ];
    sockets.flood({ connections: CONNECTIONS, next: inTurn(shots) });
  },
};

export const FLOOD_ATTACKS: readonly Attack[] = [
  openPaths,
  otherAddresses,
  unknownPaths,
  wrongKeys,
  aboveTheRate,
  wrongHosts,
];
