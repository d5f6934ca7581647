import words from '../lists/resolvers.json' with { type: 'json' };

/**
 * Addresses that do not identify a person: special-purpose ranges of the IANA registries (RFC 6890 and its updates),
 * and public resolvers.
 */

interface Range<Bits> {
  /** The bits of the prefix. */
  readonly prefix: Bits;
  /** IPv4: the number of addresses. IPv6: the number of bits after the prefix. */
  readonly size: Bits;
}

const [V4_BITS, V6_BITS] = [32, 128];
/** An IPv4 address as the last 32 bits of an IPv6 one (RFC 4291, section 2.5.5.2; RFC 6052). */
const EMBEDDED = ['::ffff:0:0/96', '64:ff9b::/96'];

const V4_RANGES = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  // Multicast, reserved and broadcast; netmasks begin with 255.
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
const V6_RANGES = [
  ...['::/127', '64:ff9b:1::/48', '100::/64', '2001:db8::/32', '3fff::/20'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

/** Google, Cloudflare, Quad9, OpenDNS, Level 3, AdGuard, Verisign, Yandex, AliDNS, 114DNS, DNSPod. */
const RESOLVERS = words.resolvers;

const bitsOfV4 = (address: string): number =>
  address.split('.').reduce((bits, octet) => bits * 256 + Number(octet), 0);

/** The 16-bit groups as written; an IPv4 part at the end counts as two. */
function groupsOf(written: string): number[] {
  if (written === '') return [];
  return written.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const bits = bitsOfV4(group);
    return [Math.floor(bits / 0x10000), bits % 0x10000];
  });
}

function bitsOfV6(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array<number>(Math.max(0, V6_BITS / 16 - first.length - last.length)).fill(0);
  return [...first, ...zeros, ...last].reduce((bits, group) => (bits << 16n) | BigInt(group), 0n);
}

const isV6 = (address: string): boolean => address.includes(':');

function partsOf(cidr: string): [address: string, prefix: number] {
  const [address, prefix] = cidr.split('/') as [string, string];
  return [address, Number(prefix)];
}

const V4 = V4_RANGES.map(partsOf).map(([address, prefix]): Range<number> => {
  const size = 2 ** (V4_BITS - prefix);
  return { prefix: Math.floor(bitsOfV4(address) / size), size };
});
const v6Range = (cidr: string): Range<bigint> => {
  const [address, prefix] = partsOf(cidr);
  const size = BigInt(V6_BITS - prefix);
  return { prefix: bitsOfV6(address) >> size, size };
};
const V6 = V6_RANGES.map(v6Range);
const WITH_V4 = EMBEDDED.map(v6Range);
const RESOLVERS_V4 = new Set(RESOLVERS.filter((address) => !isV6(address)).map(bitsOfV4));
const RESOLVERS_V6 = new Set(RESOLVERS.filter(isV6).map(bitsOfV6));

const isPersonalV4 = (bits: number): boolean =>
  !V4.some(({ prefix, size }) => Math.floor(bits / size) === prefix) && !RESOLVERS_V4.has(bits);

const isIn = (bits: bigint, ranges: readonly Range<bigint>[]): boolean =>
  ranges.some(({ prefix, size }) => bits >> size === prefix);

/** Whether a well-formed IPv4 or IPv6 address may belong to a person's connection. */
export function isPersonalAddress(address: string): boolean {
  if (!isV6(address)) return isPersonalV4(bitsOfV4(address));
  const bits = bitsOfV6(address);
  if (isIn(bits, WITH_V4)) return isPersonalV4(Number(bits & 0xffffffffn));
  return !isIn(bits, V6) && !RESOLVERS_V6.has(bits);
}
