import type { EntityType } from '#schemas/vocabulary.ts';
import { normalise } from '../../read/normalise/normalise.ts';
import { addressBytes } from './addresses.ts';

/** Compared exactly: case and separators matter. */
const EXACT: ReadonlySet<EntityType> = new Set([
  'API_KEY',
  'CRYPTO_WALLET',
  'PASSWORD',
  'PRIVATE_KEY',
  'SESSION_TOKEN',
]);

/** Compared by letters and digits only, because people group them in different ways. */
const GROUPED: ReadonlySet<EntityType> = new Set([
  'BANK_ACCOUNT',
  'CREDIT_CARD',
  'CVV',
  'DEVICE_ID',
  'DRIVER_LICENSE',
  'HEALTH_INSURANCE_ID',
  'IBAN',
  'MEDICAL_RECORD_NUMBER',
  'NATIONAL_ID',
  'PASSPORT',
  'PHONE',
  'PRESCRIPTION_NUMBER',
  'SSN',
]);

const exact = (plain: string): string => plain.trim();
const grouped = (plain: string): string => plain.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const folded = (plain: string): string => plain.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** `@example.com` allows addresses of that domain, `*.example.com` those of its subdomains. */
const DOMAIN = /^(?:\*?@)?(\*\.)?([\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+)$/u;

/** Allowed values, prepared for comparison. */
type ValueTest = (entity: EntityType, plain: string) => boolean;

/** Normalises a value as detectors read it, so that look-alike characters compare equal. */
export const plainOf = (value: string): string => normalise(value).text;

export function valueTest(values: readonly string[]): ValueTest {
  const plains = values.map(plainOf);
  const sets = {
    exact: new Set(plains.map(exact)),
    grouped: new Set(plains.map(grouped).filter((key) => key !== '')),
    folded: new Set(plains.map(folded)),
    addresses: new Set(plains.flatMap((plain) => addressBytes(plain.trim())?.join('.') ?? [])),
  };
  const isOfDomain = domainTest(plains);
  return (entity, plain) => {
    if (EXACT.has(entity)) return sets.exact.has(exact(plain));
    if (GROUPED.has(entity)) return sets.grouped.has(grouped(plain));
    if (entity === 'IP_ADDRESS') return sets.addresses.has(addressBytes(plain.trim())?.join('.') ?? '');
    const key = folded(plain);
    return sets.folded.has(key) || (entity === 'EMAIL' && isOfDomain(key));
  };
}

function domainTest(plains: readonly string[]): (address: string) => boolean {
  const domains = new Set<string>();
  const parents = new Set<string>();
  for (const plain of plains) {
    const key = folded(plain);
    const [, subdomains, domain] = /^\*?@|^\*\./.test(key) ? (DOMAIN.exec(key) ?? []) : [];
    if (domain !== undefined) (subdomains === undefined ? domains : parents).add(domain);
  }
  if (domains.size + parents.size === 0) return () => false;
  return (address) => {
    const domain = address.slice(address.lastIndexOf('@') + 1);
    if (domains.has(domain)) return true;
    for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) {
      if (parents.has(domain.slice(dot + 1))) return true;
    }
    return false;
  };
}
