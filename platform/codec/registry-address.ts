export interface RegistryOptions {
  /** Address before `/subjects`; for Apicurio it ends in /apis/ccompat/v7. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** PEM certificates trusted instead of the public authorities. */
  readonly ca?: string | undefined;
  /** Response timeout (default 10,000 ms). */
  readonly timeoutMs?: number | undefined;
}

interface RegistryAddress {
  /** Before `/subjects`, without credentials. */
  readonly host: string;
  readonly auth: { readonly username: string; readonly password: string } | null;
}

/** Removes credentials from the address, so that no error can quote them. */
export function addressOf(options: RegistryOptions): RegistryAddress {
  let url: URL;
  try {
    url = new URL(options.url);
  } catch {
    throw new Error('the schema registry address is not a URL; use http(s)://host:port/path');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error('the schema registry address must start with http:// or https://');
  }
  if (options.ca !== undefined && url.protocol !== 'https:') {
    throw new Error('certificates for the schema registry require an https:// address');
  }
  const username = options.username ?? decodeURIComponent(url.username);
  const password = options.password ?? decodeURIComponent(url.password);
  return {
    host: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    auth: username === '' ? null : { username, password },
  };
}
