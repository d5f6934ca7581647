import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Harness, startHarness, type TestCustomer } from '../../testing/harness.ts';
import { createScanner } from './scan.ts';

let harness: Harness;
let customer: TestCustomer;
beforeAll(async () => {
  harness = await startHarness();
  customer = await harness.customer('PRO');
  const payload = { name: 'Guard', slug: 'guard', sandboxType: 'FULL_SPECTRUM' };
  await harness.call({ method: 'POST', url: '/sandboxes', headers: customer.headers, payload });
});
afterAll(() => harness.close());

/** How often a scan of a long text checks for a disconnected client, which leaves at the given check. */
async function looks(leavesAt: number): Promise<{ looks: number; ended: boolean }> {
  let count = 0;
  const scan = createScanner(harness.dependencies, () => performance.now());
  const request = { sandbox: 'guard', userInput: 'ann@example.org '.repeat(20_000) };
  const hasLeft = (): boolean => {
    count += 1;
    return count >= leavesAt;
  };
  const ended = await scan(customer.id, request, () => undefined, hasLeft).then(
    () => true,
    (error: { code?: string }) => {
      expect(error.code).toBe('UNAVAILABLE');
      return false;
    },
  );
  return { looks: count, ended };
}

test('a scan ends where its client leaves', async () => {
  const whole = await looks(Number.POSITIVE_INFINITY);
  expect(whole.ended).toBe(true);
  expect(whole.looks).toBeGreaterThan(50);
  expect(await looks(10)).toEqual({ looks: 10, ended: false });
});
