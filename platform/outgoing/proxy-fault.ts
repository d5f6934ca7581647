/** The proxy could not be used. The message contains no password. */
export class ProxyFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProxyFault';
  }
}

/** How the library reports that a proxy refused a tunnel. */
const REFUSED = /^Proxy response \((\d{3})\)/;
const WRONG_USER = '407';
/** With a tunnel, only the proxy is connected to. */
const NOT_CONNECTED: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
];

interface Failure {
  readonly message?: string;
  readonly code?: string;
  readonly cause?: Failure | null;
}

/** The proxy's fault in an error of a request through it; null for none. */
export function proxyFaultOf(error: unknown, proxy: string, target: URL): ProxyFault | null {
  const { protocol, host } = new URL(proxy);
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const shown = `the proxy ${protocol}//${host} (${name})`;
  for (let cause = error as Failure | null | undefined; cause; cause = cause.cause) {
    const status = REFUSED.exec(cause.message ?? '')?.[1];
    if (status !== undefined) {
      const advice =
        status === WRONG_USER ? `set its user and password in ${name}` : 'ask its operator to allow it';
      return new ProxyFault(
        `${shown} rejected the connection to ${target.host} with status ${status}; ${advice}`,
      );
    }
    const { code } = cause;
    if (code !== undefined && NOT_CONNECTED.includes(code))
      return new ProxyFault(`${shown} is unreachable: ${code}; correct ${name}, or add the host to NO_PROXY`);
  }
  return null;
}
