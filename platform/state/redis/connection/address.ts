import { isIP } from 'node:net';
import type { RedisEndpoint, RedisTarget } from './connection.ts';

interface RedisAddress {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  readonly ca?: string;
  /** `host:port` of each; the address then contains the name by which they know the primary. */
  readonly sentinels?: readonly string[];
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
}

const DEFAULT_PORT = 6_379;

/** Throws a RangeError for an invalid address, without quoting it: it may contain a password. */
export function redisTarget(given: RedisAddress): { target: RedisTarget; where: string } {
  const { url, ca } = given;
  const address = URL.canParse(url) ? new URL(url) : null;
  const database = address?.pathname.replace(/^\/$/, '') ?? '';
  if (
    address === null ||
    !['redis:', 'rediss:'].includes(address.protocol) ||
    address.hostname === '' ||
    !/^(\/\d{1,5})?$/.test(database)
  )
    throw new RangeError(
      'the Redis address must be redis://host:port or rediss://host:port, optionally with /database',
    );
  const secure = address.protocol === 'rediss:';
  if (ca !== undefined && !secure) throw new RangeError('certificates for Redis require a rediss:// address');
  const password = given.password ?? decoded(address.password);
  const username = given.username ?? decoded(address.username);
  const user = {
    db: Number(database.slice(1) || 0),
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
  };
  return given.sentinels === undefined
    ? direct(address, user, secure, ca)
    : bySentinels(address, user, secure, { ...given, sentinels: given.sentinels });
}

type User = Pick<RedisTarget, 'db' | 'username' | 'password'>;

function direct(address: URL, user: User, secure: boolean, ca: string | undefined) {
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = address.port === '' ? DEFAULT_PORT : Number(address.port);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const tls = secure ? { tls: { ...servername, ...(ca === undefined ? {} : { ca }) } } : {};
  return { where: `${address.hostname}:${port}`, target: { host, port, ...user, ...tls } };
}

function bySentinels(
  address: URL,
  user: User,
  secure: boolean,
  { ca, sentinels, sentinelUsername, sentinelPassword }: RedisAddress & { sentinels: readonly string[] },
) {
  if (address.port !== '')
    throw new RangeError(
      'with Sentinels, the Redis address must be the name of the primary without a port: redis://mymaster/0',
    );
  // The Sentinels name servers by address, so each certificate is checked for the address used to reach the server.
  const tls = ca === undefined ? {} : { ca };
  const name = decoded(address.hostname);
  return {
    where: `"${name}" of the Sentinels ${sentinels.join(', ')}`,
    target: {
      sentinels: sentinels.map(endpointOf),
      name,
      ...user,
      ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
      ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
      ...(secure ? { tls, enableTLSForSentinelMode: true, sentinelTLS: tls } : {}),
    },
  };
}

function endpointOf(sentinel: string): RedisEndpoint {
  const [host = '', port] = sentinel.split(':');
  return { host, port: Number(port) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new RangeError('user and password in the Redis address must be percent-encoded');
  }
}
