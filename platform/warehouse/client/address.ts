export interface WarehouseAddress {
  /** Scheme, host and port. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** As in `WarehouseOptions`. */
  readonly socketFolder?: string;
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/**
 * Reads `http(s)://user:password@host:port/database`; everything but the host is optional, and overrides win. Throws
 * with what is wrong, without quoting the address, because it may hold the password.
 */
export function warehouseAddress(
  address: string,
  overrides: {
    readonly username?: string;
    readonly password?: string;
    readonly database?: string;
  } = {},
): WarehouseAddress {
  const url = parse(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw fault('must begin with http:// or https:// (ClickHouse’s HTTP interface, port 8123 or 8443)');
  }
  if (url.search !== '' || url.hash !== '') {
    throw fault('takes no settings behind ? or #; the service sends its own');
  }
  const database = overrides.database ?? (decode(url.pathname.slice(1).replace(/\/$/, '')) || 'default');
  if (!IDENTIFIER.test(database)) {
    throw new Error('the name of the ClickHouse database may have letters, digits and _ only');
  }
  return {
    url: url.origin,
    username: overrides.username ?? (decode(url.username) || 'default'),
    password: overrides.password ?? decode(url.password),
    database,
  };
}

function parse(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw fault(
      'is not a URL: write http(s)://user:password@host:port/database, with %-codes for / @ : in a password',
    );
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault('has a % that no two hexadecimal digits follow: write %25 for it');
  }
}

const fault = (what: string): Error => new Error(`the address of ClickHouse ${what}`);
