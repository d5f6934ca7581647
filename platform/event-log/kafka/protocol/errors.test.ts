import { expect, test } from '#jest';
import { isRetryable } from '#platform/flow/service-error.ts';
import { withRetries } from '../connection/retry.ts';
import { BrokerError, CODES, ConnectionLost, Unreachable } from './errors.ts';

test.each([
  ['a refused login', CODES.SASL_AUTHENTICATION_FAILED],
  ['a revoked permission on a topic', CODES.TOPIC_AUTHORIZATION_FAILED],
  ['a revoked permission on a group', CODES.GROUP_AUTHORIZATION_FAILED],
  ['a revoked permission on the cluster', CODES.CLUSTER_AUTHORIZATION_FAILED],
  ['a moving leader', CODES.NOT_LEADER],
])('%s is waited for: the request is repeated until it succeeds', async (_what, code) => {
  expect(isRetryable(new BrokerError('joining group g', code))).toBe(true);
  let attempts = 0;
  const answer = await withRetries({ what: 'joining', timeoutMs: 60_000 }, async () => {
    attempts += 1;
    if (attempts < 3) throw new BrokerError('joining group g', code);
    return 'joined';
  });
  expect([answer, attempts]).toEqual(['joined', 3]);
});

test('a request that a broker never accepts is sent once', async () => {
  let attempts = 0;
  const refused = withRetries({ what: 'joining', timeoutMs: 60_000 }, async () => {
    attempts += 1;
    throw new BrokerError('joining group g', CODES.CORRUPT_MESSAGE);
  });
  await expect(refused).rejects.toBeInstanceOf(BrokerError);
  expect(attempts).toBe(1);
});

test('an unreachable broker is waited for, a request that it never accepts is not', () => {
  expect(isRetryable(new Unreachable('away'))).toBe(true);
  expect(isRetryable(new ConnectionLost('cut'))).toBe(true);
  expect(isRetryable(new BrokerError('a request', CODES.CORRUPT_MESSAGE))).toBe(false);
  expect(isRetryable(new Error('a fault of ours'))).toBe(false);
});
