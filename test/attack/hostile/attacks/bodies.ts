import type { Attack, HostileAccount } from '../attack.ts';
import { forEach, get, head, inTurn, KIB, MIB, post, triplet, withKey } from '../requests.ts';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const BATCH = '/audit/ingest/batch';
const INGEST = '/audit/ingest';

const lineEnds: Attack = {
  name: 'batches of line ends, and of blank lines after {}',
  answers: [400, 429],
  start: ({ sockets, accounts }) => {
    const bodies = [64 * KIB, 256 * KIB, MIB, 16 * MIB].flatMap((size) => [
      Buffer.alloc(size, '\n'),
      Buffer.concat([Buffer.from('{}'), Buffer.alloc(size - 2, '\n')]),
      Buffer.concat([Buffer.from('{}\n'), Buffer.alloc(size - 3, ' ')]),
      Buffer.alloc(size, '\r\n \t'),
    ]);
    const shots = forEach(accounts, (account) => bodies.map((body) => post(account, BATCH, body, NDJSON)));
    sockets.flood({ connections: 24, next: inTurn(shots) });
  },
};

/** A batch of the maximum size, with ordinary triplets. */
function largestBatch(account: HostileAccount): Buffer {
  const line = `${JSON.stringify(triplet(account, { response: 'It is on its way. '.repeat(1_000) }))}\n`;
  return Buffer.from(line.repeat(Math.floor((16 * MIB) / line.length)));
}

const largeBodies: Attack = {
  name: '48 connections with batches of 16 MiB',
  answers: [202, 503],
  accounts: 4,
  start: ({ sockets, accounts }) => {
    const shots = accounts.map((account) => post(account, BATCH, largestBatch(account), NDJSON));
    sockets.flood({ connections: 48, next: inTurn(shots) });
  },
};

const slowBodies: Attack = {
  name: '300 connections with slowly trickling bodies',
  answers: [429],
  accounts: 4,
  start: ({ sockets, accounts }) => {
    const accountOf = inTurn(accounts);
    const declared = { 'content-type': 'application/json', 'content-length': String(512 * KIB) };
    const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    sockets.stall({
      connections: 150,
      first: (number) => head('POST', INGEST, withKey(accountOf(number), declared)),
      drip: { piece: Buffer.from(' '), everyMs: 50 },
    });
    sockets.stall({
      connections: 150,
      first: (number) => head('POST', INGEST, withKey(accountOf(number), chunked)),
      drip: { piece: Buffer.from('1\r\n \r\n'), everyMs: 50 },
    });
  },
};

const SPACES = 15_000;

const longHeaders: Attack = {
  name: 'Content-Types of 15,000 spaces, and other long headers',
  answers: [415, 429],
  start: ({ sockets, accounts }) => {
    const spaces = ' '.repeat(SPACES);
    const long = 'x'.repeat(SPACES);
    const [account] = accounts;
    const types = [`application/json${spaces};x`, `application/json;${'a=b;'.repeat(3_000)}`, `a${spaces}/b`];
    const shots = forEach(accounts, (one) => [
      ...types.map((type) => post(one, INGEST, '{}', { 'content-type': type })),
      post(one, INGEST, '{}', { 'idempotency-key': `"${'\\'.repeat(SPACES)}` }),
      head('GET', '/audits', { 'x-service-key': long }),
      head('GET', '/', { accept: `${'a/b, '.repeat(3_000)}` }),
      head('GET', '/', { 'x-forwarded-for': '1.2.3.4, '.repeat(1_500) }),
      get(one, `/dashboard/signals?${'a=%61&'.repeat(1_300)}`),
      head('GET', '/', { [long]: 'a' }),
      head('GET', '/', { a: long, b: long }),
    ]);
    if (account === undefined) throw new Error('this attack needs a customer');
    sockets.flood({ connections: 40, next: inTurn(shots) });
  },
};

/** The highest allowed numbers of values and levels cost the most; above them no work may be done. */
const deepBodies: Attack = {
  name: 'nested arrays, 120,000 names and 2 MiB of values',
  answers: [400, 429],
  start: ({ sockets, accounts }) => {
    const names = Array.from({ length: 120_000 }, (_, number) => `"k${number}":1`).join(',');
    const fields = (json: string) => (account: HostileAccount) =>
      JSON.stringify(triplet(account, { metadata: { customFields: 0 } })).replace(
        '"customFields":0',
        `"customFields":${json}`,
      );
    const bodies = [
      () => '['.repeat(2 * MIB - 1),
      () => `${'['.repeat(MIB)}${']'.repeat(MIB - 1)}`,
      () => `{${names}}`,
      () => `[${'0,'.repeat(MIB - 2)}0]`,
      () => `{"a":"${'\\u0041'.repeat(300_000)}"}`,
      fields(`{${names.slice(0, names.indexOf('"k19900"') - 1)}}`),
      fields(`{"a":[${'{"b":[]},'.repeat(6_000)}0]}`),
      (account: HostileAccount) => JSON.stringify(triplet(account, { prompt: '"\\\u0001'.repeat(200_000) })),
    ];
    const shots = forEach(accounts, (account) =>
      bodies.flatMap((make) => {
        const body = make(account);
        return [post(account, INGEST, body), post(account, BATCH, `[${body}]`)];
      }),
    );
    sockets.flood({ connections: 24, next: inTurn(shots) });
  },
};

const SCAN_BYTES = 256 * KIB;

const scans: Attack = {
  name: 'scans of 256 KiB full of addresses, encodings and patterns',
  answers: [200],
  start: ({ sockets, accounts }) => {
    const fill = (text: string): string => text.repeat(Math.floor((SCAN_BYTES - 200) / text.length));
    const texts = [
      fill('a@b.co '),
      fill('DE89370400440532013000 '),
      fill('YWJjZGVmZ2hp'),
      fill('1 '),
      fill('a.'),
    ];
    const shots = forEach(accounts, (account) =>
      texts.map((userInput) =>
        post(account, '/guardian/scan', JSON.stringify({ sandbox: account.slug, userInput })),
      ),
    );
    sockets.flood({ connections: 24, next: inTurn(shots) });
  },
};

export const BODY_ATTACKS: readonly Attack[] = [lineEnds, slowBodies, longHeaders, deepBodies, scans];
/** Last, because their batches are still being analysed long after the attack. */
export const LARGE_BODY_ATTACKS: readonly Attack[] = [largeBodies];
