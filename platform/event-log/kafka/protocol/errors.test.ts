import { expect, test } from '#jest';
import { isRetryable } from '#platform/flow/service-error.ts';
import { withRetries } from '../connection/retry.ts';
import { BrokerError, CODES, ConnectionLost, Unreachable } from './errors.ts';

test.each([
  ['a login that is refused', CODES.SASL_AUTHENTICATION_FAILED],
  ['a right on a topic that was taken away', CODES.TOPIC_AUTHORIZATION_FAILED],
  ['a right on a group that was taken away', CODES.GROUP_AUTHORIZATION_FAILED],
  ['a right on the cluster that was taken away', CODES.CLUSTER_AUTHORIZATION_FAILED],
  ['a leader that moves', CODES.NOT_LEADER],
])('%s is waited for: what was asked for is asked for again until it is there', async (_what, code) => {
  expect(isRetryable(new BrokerError('joining group g', code))).toBe(true);
  let asked = 0;
  const answer = await withRetries({ what: 'joining', timeoutMs: 60_000 }, async () => {
    asked += 1;
    if (asked < 3) throw new BrokerError('joining group g', code);
    return 'joined';
  });
  expect([answer, asked]).toEqual(['joined', 3]);
});

test('what a broker never takes is asked for once', async () => {
  let asked = 0;
  const refused = withRetries({ what: 'joining', timeoutMs: 60_000 }, async () => {
    asked += 1;
    throw new BrokerError('joining group g', CODES.CORRUPT_MESSAGE);
  });
  await expect(refused).rejects.toBeInstanceOf(BrokerError);
  expect(asked).toBe(1);
});

test('a broker that is away is waited for, a request that it never takes is not', () => {
  expect(isRetryable(new Unreachable('away'))).toBe(true);
  expect(isRetryable(new ConnectionLost('cut'))).toBe(true);
  expect(isRetryable(new BrokerError('a request', CODES.CORRUPT_MESSAGE))).toBe(false);
  expect(isRetryable(new Error('a fault of ours'))).toBe(false);
});
