import { z } from 'zod';
import { ADJUSTABLE_DETECTORS, CONFIDENCE_NAMES } from '../detector-names.ts';
import { editDistance } from '../nearest-name.ts';

/** Maximum number of a sandbox's allowed values, networks and patterns, and of characters in each. */
const MAX_ALLOWED_VALUES = 500;
const MAX_VALUE_CHARACTERS = 256;
const MAX_ALLOWED_CIDRS = 100;
const MAX_CIDR_CHARACTERS = 64;
const MAX_ALLOWED_PATTERNS = 50;
const MAX_PATTERN_CHARACTERS = 500;
/** Longer than any detector or entity type name. */
const NAME_CHARACTERS = 64;

const lines = (what: string, mostItems: number, mostCharacters: number) =>
  z.array(z.string().max(mostCharacters).regex(/\S/, `the ${what} must not be blank`)).max(mostItems);

const NAMED_IN_MESSAGE = 3;

/** Lists the names that were probably meant, without repeating the input. */
function nearest(sent: string, names: readonly string[]): string {
  const asked = sent.slice(0, NAME_CHARACTERS).toLowerCase().replaceAll(/[_\s]/g, '-');
  const folded = (name: string): string => name.toLowerCase().replaceAll('_', '-');
  const far = (name: string): number => {
    const own = folded(name);
    if (own === asked) return 0;
    return (
      1 +
      (asked !== '' && (own.includes(asked) || asked.includes(own))
        ? 0
        : editDistance(asked, own, NAME_CHARACTERS))
    );
  };
  return names
    .map((name) => ({ name, far: far(name) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, NAMED_IN_MESSAGE)
    .map(({ name }) => name)
    .join(', ');
}

function nameFault(sent: string, names: readonly string[], what: string): string | null {
  if (names.includes(sent)) return null;
  if (sent === 'csam') return 'this detector is always on';
  return `no ${what} has this name; the nearest are ${nearest(sent, names)}`;
}

const detector = z
  .string()
  .max(NAME_CHARACTERS)
  .meta({ enum: ADJUSTABLE_DETECTORS })
  .superRefine((sent, context) => {
    const message = nameFault(sent, ADJUSTABLE_DETECTORS, 'detector');
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

const minConfidence = z
  .record(z.string(), z.number().min(0).max(1))
  .meta({ propertyNames: { enum: CONFIDENCE_NAMES } })
  .superRefine((sent, context) => {
    for (const name of Object.keys(sent)) {
      const message = nameFault(name, CONFIDENCE_NAMES, 'detector or entity type');
      if (message === null) continue;
      context.addIssue({ code: 'custom', message, path: CONFIDENCE_NAMES.includes(name) ? [name] : [] });
      return;
    }
  });

/** What a sandbox excludes from detection, in audits and scans alike. */
export const detectionFields = {
  allowedValues: lines('value', MAX_ALLOWED_VALUES, MAX_VALUE_CHARACTERS).meta({
    description:
      'Values to ignore: matches equal to one of them are not reported, do not raise the risk and are not redacted. Numbers are compared by their letters and digits, keys and passwords exactly, everything else case-insensitively. `@example.com` covers all email addresses of the domain, `*.example.com` those of its subdomains.',
    examples: [['support@example.com', '@example.org', '+49 30 901820']],
  }),
  allowedCidrs: lines('network', MAX_ALLOWED_CIDRS, MAX_CIDR_CHARACTERS).meta({
    description: 'IPv4 or IPv6 networks whose addresses are ignored; a single address is allowed.',
    examples: [['203.0.113.0/24', '2001:db8::/32']],
  }),
  allowedPatterns: lines('pattern', MAX_ALLOWED_PATTERNS, MAX_PATTERN_CHARACTERS).meta({
    description:
      'Regular expressions for values to ignore; each must match the whole value. JavaScript syntax without backreferences, lookahead and lookbehind, plain or as `/.../flags` (i, s, u).',
    examples: [['test-\\d+@example\\.com', '/acme-[0-9a-f]{8}/i']],
  }),
  detectorsOff: z
    .array(detector)
    .max(ADJUSTABLE_DETECTORS.length)
    .meta({
      description:
        'Detectors to switch off. Another detector can still match the same text. `csam` is always on.',
      examples: [['high-entropy']],
    }),
  minConfidence: minConfidence.meta({
    description:
      'Minimum confidence of reported matches, by detector, by entity type, or for all others (`default`). The value of the detector takes precedence, then that of the type. Does not apply to CSAM and custom rules.',
    examples: [{ default: 0.5, PERSON: 0.8, phone: 0.7 }],
  }),
};
