import { expect, test } from '@jest/globals';
import { BrokerError, CODES, ConnectionLost, mayPass, Unreachable } from './kafka-errors.ts';

test.each([
  ['a login that is refused', CODES.SASL_AUTHENTICATION_FAILED],
  ['a right on a topic that was taken away', CODES.TOPIC_AUTHORIZATION_FAILED],
  ['a right on a group that was taken away', CODES.GROUP_AUTHORIZATION_FAILED],
  ['a right on the cluster that was taken away', CODES.CLUSTER_AUTHORIZATION_FAILED],
  ['a leader that moves', CODES.NOT_LEADER],
])('%s is waited for', (_what, code) => {
  expect(mayPass(new BrokerError('joining group g', code))).toBe(true);
});

test('a broker that is away is waited for, a request that it never takes is not', () => {
  expect(mayPass(new Unreachable('away'))).toBe(true);
  expect(mayPass(new ConnectionLost('cut'))).toBe(true);
  expect(mayPass(new BrokerError('a request', CODES.CORRUPT_MESSAGE))).toBe(false);
  expect(mayPass(new Error('a fault of ours'))).toBe(false);
});
