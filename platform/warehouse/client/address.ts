export interface WarehouseAddress {
  /** Scheme, host and port. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** See `WarehouseOptions`. */
  readonly socketFolder?: string;
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/**
 * Parses `http(s)://user:password@host:port/database`. Only the host is required; overrides take precedence. Errors
 * never quote the address, because it may contain the password.
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
    throw fault('must start with http:// or https:// (HTTP interface of ClickHouse, port 8123 or 8443)');
  }
  if (url.search !== '' || url.hash !== '') {
    throw fault('must not have settings after ? or #; the service sends its own');
  }
  const database = overrides.database ?? (decode(url.pathname.slice(1).replace(/\/$/, '')) || 'default');
  if (!IDENTIFIER.test(database)) {
    throw new Error('the ClickHouse database name must contain only letters, digits and _');
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
      'is not a URL; use http(s)://user:password@host:port/database, and percent-encode / @ : in the password',
    );
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault('has a % without two hexadecimal digits; use %25 for a literal %');
  }
}

const fault = (what: string): Error => new Error(`the ClickHouse address ${what}`);
