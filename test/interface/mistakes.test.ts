import { afterAll, beforeAll, expect, test } from '#jest';
import {
  type Harness,
  internalHeaders,
  startHarness,
  type TestCustomer,
} from '#services/api/testing/harness.ts';
import { BODIES_AND_VALUES } from './mistakes/bodies-and-values.ts';
import type { Mistake } from './mistakes/requests.ts';
import { REQUESTS_AND_KEYS } from './mistakes/requests-and-keys.ts';

/** Typical mistakes of new users are answered with the received value, the expected one, and the closest valid one. */

const MISTAKES = [...REQUESTS_AND_KEYS, ...BODIES_AND_VALUES];

let harness: Harness;
let customer: TestCustomer;
let neighbour: TestCustomer;
beforeAll(async () => {
  harness = await startHarness();
  [customer, neighbour] = [await harness.customer(), await harness.customer()];
  for (const [of, slug] of [
    [customer, 'customer-support'],
    [neighbour, 'customer-suport-2'],
    [neighbour, 'nowhere-2'],
  ] as const)
    await harness.call({
      method: 'POST',
      url: '/sandboxes',
      headers: of.headers,
      payload: { name: slug, slug, sandboxType: 'FULL_SPECTRUM' },
    });
});
afterAll(() => harness.close());

const credentials = ({ by }: Mistake): Readonly<Record<string, string>> =>
  by === 'nobody' ? {} : by === 'platform' ? internalHeaders : customer.headers;

/** Status, code, message, and details. */
async function answerTo(mistake: Mistake): Promise<string> {
  const headers = { ...credentials(mistake), ...mistake.request.headers };
  const { status, body } = await harness.call({ ...mistake.request, headers });
  if (status < 300) return String(status);
  const {
    code,
    message,
    details = [],
  } = body as {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly { readonly path: string; readonly message: string }[];
  };
  const more = details.filter((one) => !message.includes(one.message));
  return [`${status} ${code}: ${message}`, ...more.map(({ path, message }) => `(${path}: ${message})`)].join(
    ' ',
  );
}

test.each(MISTAKES.map((mistake) => [mistake.what, mistake] as const))('%s', async (_what, mistake) => {
  expect(await answerTo(mistake)).toBe(mistake.after);
});

test('no response repeats a secret or names what belongs to another customer', async () => {
  for (const mistake of MISTAKES) {
    expect(mistake.after).not.toMatch(/a{20}|never shown|suport-2|nowhere-2/);
    if (mistake.before !== mistake.after) expect(mistake.after.length).toBeGreaterThan(3);
  }
});
