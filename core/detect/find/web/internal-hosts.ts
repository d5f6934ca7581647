/** A URL's host as seen from inside a network. */
type HostKind =
  /** Serves the credentials of a cloud machine. */
  | 'METADATA'
  /** An address of the local machine or network, obfuscated to bypass a filter. */
  | 'DISGUISED'
  /** The local machine, a private range (RFC 1918), or a name that exists only in private networks. */
  | 'INTERNAL'
  | 'OUTSIDE';

/** Link-local addresses and names from which clouds serve a machine's credentials. */
const METADATA =
  /^(?:169\.254\.169\.254|169\.254\.170\.2|100\.100\.100\.200|192\.0\.0\.192|metadata\.google\.internal|metadata\.azure\.internal|metadata\.packet\.net|instance-data(?:\.ec2\.internal)?|metadata|\[?fd00:ec2::254\]?|\[?::ffff:(?:169\.254\.169\.254|a9fe:a9fe)\]?)$/i;
const RESOLVES_INSIDE =
  /^(?:(?:[\w-]{1,40}\.){0,3}(?:localtest\.me|lvh\.me|vcap\.me|lacolhost\.com)|[\w.-]{0,60}(?:127|10|192[.-]168|169[.-]254|172)[.-][\d.-]{1,12}\.(?:nip|sslip|xip)\.io)$/i;
const OTHER_LOOPBACK =
  /^\[(?:::1?|0{0,4}(?::0{0,4}){1,6}:0{0,3}1|::ffff:[\d.a-f:]{3,20}|::(?:127|10|192)\.[\d.]{3,12})\]$/i;
const NUMBER_PART = /^(?:0x[\da-f]{1,8}|\d{1,10})$/i;
const INTERNAL_NAME =
  /^(?:localhost\.?|(?:[\w-]{1,40}\.){1,4}(?:internal|local|localdomain|intranet|corp|lan|svc(?:\.cluster\.local)?)|kubernetes(?:\.default)?|(?:internal|intranet|backend|admin|jenkins|consul|vault|redis|elasticsearch|grafana|prometheus)(?:-[\w-]{1,20})?)$/i;

function isPrivate([a = 0, b = 0]: readonly number[]): boolean {
  return (
    a === 127 ||
    a === 10 ||
    a === 0 ||
    (a === 192 && b === 168) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 169 && b === 254)
  );
}

const valueOfPart = (part: string): number =>
  /^0x/i.test(part) ? Number.parseInt(part, 16) : /^0\d/.test(part) ? Number.parseInt(part, 8) : Number(part);

/**
 * Addresses as `inet_aton` reads them: one to four parts, decimal, octal or hexadecimal; the last one fills the rest.
 */
function kindOfAddress(parts: readonly string[]): HostKind {
  const values = parts.map(valueOfPart);
  const last = values.at(-1)!;
  const free = 5 - parts.length;
  const bytes = [
    ...values.slice(0, -1),
    ...Array.from({ length: free }, (_, index) => Math.floor(last / 256 ** (free - 1 - index)) % 256),
  ];
  if (bytes.length !== 4 || !isPrivate(bytes)) return 'OUTSIDE';
  const isOrdinary = parts.length === 4 && parts.every((part) => part === String(Number(part)));
  const isUsualLoopback = bytes[0] !== 127 || bytes.join('.') === '127.0.0.1';
  return isOrdinary && isUsualLoopback ? 'INTERNAL' : 'DISGUISED';
}

/** Classifies a host. IPv6 addresses must be in brackets. */
export function kindOfHost(host: string): HostKind {
  if (METADATA.test(host)) return 'METADATA';
  if (host === '[::1]' || INTERNAL_NAME.test(host)) return 'INTERNAL';
  if (OTHER_LOOPBACK.test(host) || RESOLVES_INSIDE.test(host)) return 'DISGUISED';
  const parts = host.split('.');
  if (parts.length <= 4 && parts.every((part) => NUMBER_PART.test(part))) return kindOfAddress(parts);
  return 'OUTSIDE';
}
