import { isIP } from 'node:net';
import type { RedisTarget } from './connection.ts';

interface RedisAddress {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  readonly ca?: string;
}

const DEFAULT_PORT = 6_379;

/** Throws a RangeError for an invalid address, without quoting it: it may hold a password. */
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
      'the address of Redis must read redis://host:port or rediss://host:port, with /database',
    );
  const secure = address.protocol === 'rediss:';
  if (ca !== undefined && !secure)
    throw new RangeError('certificates for Redis were given, but its address does not begin with rediss://');
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = address.port === '' ? DEFAULT_PORT : Number(address.port);
  const password = given.password ?? decoded(address.password);
  const username = given.username ?? decoded(address.username);
  return {
    where: `${address.hostname}:${port}`,
    target: {
      host,
      port,
      db: Number(database.slice(1) || 0),
      ...(username === '' ? {} : { username }),
      ...(password === '' ? {} : { password }),
      ...(secure
        ? { tls: { ...(isIP(host) === 0 ? { servername: host } : {}), ...(ca === undefined ? {} : { ca }) } }
        : {}),
    },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new RangeError('user and password in the address of Redis must be percent-encoded');
  }
}
