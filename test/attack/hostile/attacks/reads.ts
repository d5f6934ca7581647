import type { Attack } from '../attack.ts';
import { forEach, get, inTurn } from '../requests.ts';

const AT_ONCE = 400;

const costlyReads: Attack = {
  name: '400 verifications, statistics and lists at once',
  answers: [200, 429],
  accounts: 4,
  withHistory: true,
  start: ({ sockets, accounts }) => {
    const paths = [
      '/evidence/hash-chain/verify',
      '/dashboard/stats',
      '/dashboard/stats/timeseries',
      '/audits?limit=100',
      '/dashboard/signals?limit=100',
      '/dashboard/books',
      '/dead-letters',
      '/audits/01993d5a-7c00-7000-8000-0000000000a1?wait=30',
    ];
    const shots = forEach(accounts, (account) => paths.map((path) => get(account, path)));
    sockets.flood({ connections: AT_ONCE, next: inTurn(shots) });
  },
};

const slowReaders: Attack = {
  name: '400 exports that are not read',
  answers: [200, 429],
  accounts: 4,
  withHistory: true,
  start: ({ sockets, accounts }) => {
    const path = '/dashboard/signals/export?format=';
    const shots = forEach(accounts, (account) =>
      ['csv', 'json', 'ndjson', 'xlsx', 'parquet'].map((format) => get(account, `${path}${format}`)),
    );
    sockets.stall({ connections: AT_ONCE, first: inTurn(shots) });
  },
};

const asCursor = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const forgedCursors: Attack = {
  name: 'forged cursors and odd parameters on every list',
  answers: [400, 429],
  withHistory: true,
  start: ({ sockets, accounts }) => {
    const cursors = [
      asCursor([2, '2026-13-45T99:99:99.999Z', '01993d5a-7c00-7000-8000-0000000000a1']),
      asCursor([1e12, '9999-12-31T23:59:59.999Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff']),
      asCursor([2, '0001-01-01T00:00:00.000Z', '00000000-0000-0000-0000-000000000000']),
      asCursor([2, -1]),
      asCursor([2, 9_007_199_254_740_991]),
      asCursor('x'.repeat(300)),
      'a'.repeat(512),
    ];
    const lists = ['/audits', '/dashboard/signals', '/sandboxes', '/dead-letters'];
    const odd = [
      'page=1000&limit=100',
      'from=0000-00-00',
      'from=1970-01-01&to=9999-12-31',
      'limit=1e9',
      'page=%31',
    ];
    const queries = [...cursors.map((cursor) => `cursor=${cursor}`), ...odd];
    const shots = forEach(accounts, (account) =>
      lists.flatMap((list) => queries.map((query) => get(account, `${list}?${query}`))),
    );
    sockets.flood({ connections: 60, next: inTurn(shots) });
  },
};

export const READ_ATTACKS: readonly Attack[] = [costlyReads, slowReaders, forgedCursors];
