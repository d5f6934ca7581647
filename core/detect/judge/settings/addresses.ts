/** The longest form of an IPv6 address: eight groups, the last two as IPv4. */
const MAX_ADDRESS = 45;
const V4_BYTES = 4;
const V6_BYTES = 16;
const GROUP = /^[0-9a-f]{1,4}$/i;
const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

type Bytes = readonly number[];

/** An address whose first `bits` bits are fixed. */
interface Network {
  readonly bytes: Bytes;
  readonly bits: number;
}

function v4Bytes(text: string): Bytes | null {
  const octets = text.split('.');
  if (octets.length !== V4_BYTES || !octets.every((octet) => OCTET.test(octet))) return null;
  const bytes = octets.map(Number);
  return bytes.every((byte) => byte < 256) ? bytes : null;
}

function groupBytes(groups: readonly string[]): Bytes | null {
  const bytes: number[] = [];
  for (const [at, group] of groups.entries()) {
    const v4 = at === groups.length - 1 && group.includes('.') ? v4Bytes(group) : null;
    if (v4 !== null) bytes.push(...v4);
    else if (GROUP.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff);
    else return null;
  }
  return bytes;
}

const groupsOf = (half: string): string[] => (half === '' ? [] : half.split(':'));

/** RFC 4291, section 2.2. */
function v6Bytes(text: string): Bytes | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = [groupBytes(groupsOf(halves[0]!)), groupBytes(groupsOf(halves[1] ?? ''))];
  // IPv4 notation is only allowed at the end of an address.
  if (head === null || tail === null || (halves.length === 2 && halves[0]!.includes('.'))) return null;
  const zeros = V6_BYTES - head.length - tail.length;
  if (halves.length === 1 ? zeros !== 0 : zeros < 2) return null;
  return [...head, ...new Array<number>(zeros).fill(0), ...tail];
}

const isMapped = (bytes: Bytes): boolean =>
  bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;

/** The address's 4 or 16 bytes; 4 for an IPv4-mapped IPv6 address. Null if the text is not an address. */
export function addressBytes(text: string): Bytes | null {
  if (text.length > MAX_ADDRESS) return null;
  if (!text.includes(':')) return v4Bytes(text);
  const bytes = v6Bytes(text);
  return bytes !== null && isMapped(bytes) ? bytes.slice(-V4_BYTES) : bytes;
}

/** Parses `10.0.0.0/8` or `2001:db8::/32`; a single address is a network of one. Null if the text is not a network. */
export function networkOf(text: string): Network | null {
  const [address = '', prefix, ...more] = text.trim().split('/');
  const bytes = more.length === 0 ? addressBytes(address) : null;
  if (bytes === null) return null;
  const most = bytes.length * 8;
  if (prefix === undefined) return { bytes, bits: most };
  // The prefix of "::ffff:10.0.0.0/104" counts IPv6 bits.
  const mappedBits = address.includes(':') && bytes.length === V4_BYTES ? 96 : 0;
  const bits = PREFIX.test(prefix) ? Number(prefix) - mappedBits : -1;
  return bits < 0 || bits > most ? null : { bytes, bits };
}

export function isWithin(address: Bytes, { bytes, bits }: Network): boolean {
  if (address.length !== bytes.length) return false;
  for (let at = 0, left = bits; left > 0; at += 1, left -= 8) {
    const ignored = Math.max(0, 8 - left);
    if (address[at]! >> ignored !== bytes[at]! >> ignored) return false;
  }
  return true;
}
