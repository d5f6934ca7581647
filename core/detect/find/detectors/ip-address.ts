import { isAsciiAlphanumeric, isDigit, isWordUnit, skipBackWhile, skipWhile } from '../../read/characters.ts';
import { isPersonalAddress } from '../checks/ip-ranges.ts';
import { cueTest, isGlued, labelTest, textBefore } from '../context.ts';
import type { Candidate, SearchDetector } from '../detector.ts';
import { matchesOf } from '../pattern-search.ts';

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const V4 = new RegExp(`(?<![\\d.])(?<!\\d[-_])(?:${OCTET}\\.){3}${OCTET}(?!\\w|\\.\\d|-\\d)`, 'g');
const V4_WHOLE = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);
/** The longest form: eight groups, the last two as IPv4. */
const MAX_V6 = 45;

const namesVersion = cueTest(
  [
    'v',
    'ver',
    'version',
    'versions',
    'release',
    'build',
    'firmware',
    'driver',
    'section',
    'clause',
    'oid',
    'chapter',
  ],
  12,
);
const namesAddress = cueTest(
  [
    'ip',
    'ips',
    'ipv4',
    'ip-address',
    'address',
    'host',
    'hosts',
    'server',
    'client',
    'from',
    'login',
    'ping',
    'peer',
  ],
  24,
);

/** Labels that may be attached to an address: "ip_24.48.0.1". */
const isLabel = labelTest(
  '(?:client|remote|source|src|dest|dst|user|peer|host|server|real|public)?ip(?:v4)?(?:[_-]?addr(?:ess)?)?|addr|address|src|dst|host|client|peer',
);

/** "1.2.3.4" alone is more often a version or a section number than an address. */
function looksLikeVersion(address: string): boolean {
  return address.length === 7 || address.endsWith('.0.0') || address.startsWith('0.');
}

/** `//` and `#` precede addresses in URLs and comments. */
const isPartOfWord = (text: string, start: number): boolean =>
  isGlued(text, start) && text[start - 1] !== '/' && text[start - 1] !== '#';

function v4At(text: string, start: number, address: string): Candidate | null {
  // "Chrome/120.0.0.0" in a user agent is not an address; "//10.1.2.3" in a URL is.
  const afterProduct = text[start - 1] === '/' && isAsciiAlphanumeric(text.charCodeAt(start - 2));
  if (afterProduct) return null;
  const before = textBefore(text, start);
  if (namesVersion(before) || (isPartOfWord(text, start) && !isLabel(before))) return null;
  const named = namesAddress(before);
  if ((looksLikeVersion(address) && !named) || !isPersonalAddress(address)) return null;
  const confidence = named ? 0.97 : 0.9;
  return { code: 'PII_LEAK', entity: 'IP_ADDRESS', start, end: start + address.length, confidence };
}

/** RFC 4291, section 2.2: eight groups of up to four hex digits; one run of zeros may be `::`; IPv4 at the end. */
export function isIpv6(address: string): boolean {
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  let count = groups.length;
  if (last.includes('.')) {
    if (!V4_WHOLE.test(last)) return false;
    groups.pop();
    count++;
  }
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? count <= 7 : count === 8;
}

/** Text that parses as IPv6, but is an array slice, a C++ name or a hardware address. */
function isOtherColonText(address: string): boolean {
  const groups = address.split(':').filter((group) => group !== '');
  if (!address.includes('::')) return groups.every((group) => group.length === 2);
  if (groups.length >= 3 && /\d/.test(address)) return false;
  return !(groups.length >= 2 && /^(?:2[0-9a-f]{3}|f[cd][0-9a-f]{2}|fe80|::ffff)/i.test(address));
}

const isV6Unit = (unit: number): boolean =>
  isDigit(unit) || unit === 58 || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);

/** Steps from colon to colon. */
function v6In(text: string): Candidate[] {
  const found: Candidate[] = [];
  let done = 0;
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', done)) {
    const start = skipBackWhile(text, colon, Math.max(done, colon - 5), isV6Unit);
    let end = skipWhile(text, colon, colon + MAX_V6, (unit) => isV6Unit(unit) || unit === 46);
    done = Math.max(end, colon + 1);
    while (end > start && text.charCodeAt(end - 1) === 46) end--;
    // "address ...::1: refused": the last colon belongs to the sentence.
    if (text[end - 1] === ':' && text[end - 2] !== ':') end--;
    const apart = !isWordUnit(text.charCodeAt(start - 1)) && !isWordUnit(text.charCodeAt(end));
    if (!apart || end - start < 6) continue;
    const address = text.slice(start, end);
    if (!isIpv6(address) || isOtherColonText(address) || !isPersonalAddress(address)) continue;
    found.push({ code: 'PII_LEAK', entity: 'IP_ADDRESS', start, end, confidence: 0.95 });
  }
  return found;
}

/**
 * IPv4 and IPv6 addresses that may belong to a person's connection, excluding private and reserved addresses and public
 * resolvers.
 */
export const ipAddress: SearchDetector = {
  name: 'ip-address',
  version: 2,
  mayFind: (traits) => traits.digits >= 2,
  search: (text) => {
    const found = v6In(text);
    // The IPv4 part at the end of an IPv6 address is not a separate address.
    const endsOfV6 = new Set(found.map(({ end }) => end));
    const v4 = matchesOf(V4, text, ([address], start) =>
      endsOfV6.has(start + address.length) ? null : v4At(text, start, address),
    );
    return found.concat(v4);
  },
};
