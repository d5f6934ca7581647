import domains from '../lists/top-level-domains.json' with { type: 'json' };

/**
 * The top-level domains of the root zone as listed by IANA (July 2025), those reserved by RFC 2606 and RFC 6762, and
 * those commonly used in private networks. Domains in other scripts start with `xn--`, or have no ASCII at all.
 */

const KNOWN = new Set([...domains.ofCountries, ...domains.generic, ...domains.reserved, ...domains.inside]);

/** Whether the label may be a top-level domain. */
export function isTopLevelDomain(label: string): boolean {
  const lower = label.toLowerCase();
  return KNOWN.has(lower) || lower.startsWith('xn--') || /[^\x20-\x7e]/.test(lower);
}
