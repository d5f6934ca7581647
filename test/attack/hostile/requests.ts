import type { HostileAccount } from './attack.ts';
import type { Shot } from './sockets.ts';

export type Headers = Readonly<Record<string, string>>;

const HOST = 'localhost';
export const KIB = 1024;
export const MIB = 1024 * KIB;

/** Head of a request as sent on the wire; names and values are not changed. */
export const head = (method: string, target: string, headers: Headers = {}): Buffer => {
  const lines = Object.entries({ host: HOST, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
};

export const withKey = ({ key }: HostileAccount, headers: Headers = {}): Headers => ({
  'x-service-key': key,
  ...headers,
});

/** A whole request with a body. */
export function post(
  account: HostileAccount,
  target: string,
  body: Buffer | string,
  headers: Headers = {},
  method = 'POST',
): Shot {
  const bytes = Buffer.from(body as string);
  const own = { 'content-type': 'application/json', ...headers, 'content-length': String(bytes.length) };
  return Buffer.concat([head(method, target, withKey(account, own)), bytes]);
}

export const get = (account: HostileAccount, target: string): Shot => head('GET', target, withKey(account));

/** Cycles through these values. */
export const inTurn =
  <Value>(values: readonly Value[]): ((number: number) => Value) =>
  (number) =>
    values[number % values.length]!;

/** Each value for each account, account by account. */
export const forEach = <Value>(
  accounts: readonly HostileAccount[],
  make: (account: HostileAccount) => readonly Value[],
): Value[] => accounts.flatMap(make);

export const triplet = ({ slug }: HostileAccount, more: Readonly<Record<string, unknown>> = {}) => ({
  sandboxSlug: slug,
  provider: 'openai',
  model: 'test-model',
  prompt: 'Please write to ann@example.org about her order.',
  response: 'Done.',
  ...more,
});
