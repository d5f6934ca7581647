import type { Detection } from '#detection/port.ts';
import { afterAll, beforeAll, expect, test } from '#jest';
import { TaskTimedOut } from '#platform/threads/task-errors.ts';
import { type Harness, startHarness, type TestCustomer } from '../testing/harness.ts';
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
async function checks(leavesAt: number): Promise<{ checks: number; ended: boolean }> {
  let count = 0;
  const scan = createScanner(harness.dependencies, () => performance.now());
  const request = { sandbox: 'guard', userInput: 'ann@example.org '.repeat(20_000) };
  const hasLeft = (): boolean => {
    count += 1;
    return count >= leavesAt;
  };
  const client = { hasLeft, gone: new AbortController().signal };
  const ended = await scan(customer.id, request, () => undefined, client).then(
    () => true,
    (error: { code?: string }) => {
      expect(error.code).toBe('UNAVAILABLE');
      return false;
    },
  );
  return { checks: count, ended };
}

test('a scan ends when its client leaves', async () => {
  const whole = await checks(Number.POSITIVE_INFINITY);
  expect(whole.ended).toBe(true);
  expect(whole.checks).toBeGreaterThan(50);
  expect(await checks(10)).toEqual({ checks: 10, ended: false });
});

const findingNothing = (search: Detection['detectAll']) =>
  createScanner({ ...harness.dependencies, detection: { detectAll: search } }, () => performance.now());
const REQUEST = { sandbox: 'guard', userInput: 'hello' };

test.each([
  ['a client that leaves ends the search', true],
  ['a server that closes answers first', false],
])('%s', async (_, leaves) => {
  const gone = new AbortController();
  let left = false;
  const scan = findingNothing(async (_asked, signal) => {
    left = leaves;
    gone.abort();
    return [
      signal.aborted
        ? { status: 'rejected', reason: signal.reason }
        : { status: 'fulfilled', value: { matches: [], suppressed: [], durationMs: 1 } },
    ];
  });
  const answer = scan(customer.id, REQUEST, () => undefined, { hasLeft: () => left, gone: gone.signal });
  if (leaves) await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  else expect((await answer).toString()).toContain('"action":"ALLOW"');
});

test('a search that takes too long is refused with what to do', async () => {
  const scan = findingNothing(async () => [{ status: 'rejected', reason: new TaskTimedOut(5) }]);
  const client = { hasLeft: () => false, gone: new AbortController().signal };
  await expect(scan(customer.id, REQUEST, () => undefined, client)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('Send shorter texts'),
  });
});
