import { describe } from '@jest/globals';

/** The setting that names each real part; its address stands in `TEST_<setting>` while the suite runs. */
export const REAL_PARTS = {
  kafka: 'KAFKA_BROKERS',
  redis: 'REDIS_URL',
  registry: 'SCHEMA_REGISTRY_URL',
  clickhouse: 'CLICKHOUSE_URL',
} as const;

export type RealPart = keyof typeof REAL_PARTS;

const addressVariable = (part: RealPart): string => `TEST_${REAL_PARTS[part]}`;
const reasonVariable = (part: RealPart): string => `${addressVariable(part)}_MISSING`;

/** For the global set-up of `jest.real.json`: where a part answers, or why it could not be had. */
export function announcePart(part: RealPart, found: { address: string } | { missing: string }): void {
  if ('address' in found) process.env[addressVariable(part)] = found.address;
  else process.env[reasonVariable(part)] = found.missing;
}

/**
 * Tests against a real part that the global set-up of `jest.real.json` started. When it could not be had they are
 * reported as skipped, with the reason in their name (the build counts a skipped test as failed). `address` is the
 * value of the part's setting.
 */
export function describeOn(part: RealPart, name: string, body: (address: string) => void): void {
  const address = process.env[addressVariable(part)];
  if (address !== undefined) {
    describe(name, () => body(address));
    return;
  }
  const reason = process.env[reasonVariable(part)] ?? 'run it with "npm run test:real"';
  describe.skip(`${name} (skipped: ${reason})`, () => body('nowhere'));
}
