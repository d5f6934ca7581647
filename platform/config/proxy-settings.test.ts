import { expect, test } from '#jest';
import { proxyCheck } from './proxy-settings.ts';

test.each([
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['11.1.2.3', false],
  ['192.0.2.7', true],
  ['::ffff:192.0.2.7', true],
  ['192.0.2.8', false],
  ['2001:db8::1', true],
  ['2001:db9::1', false],
  ['', false],
  ['no address', false],
])('%s comes from a trusted proxy: %s', (address, isProxy) => {
  expect(proxyCheck(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])(address)).toBe(isProxy);
});

test('without the setting no address is a trusted proxy', () => {
  expect(proxyCheck([])('127.0.0.1')).toBe(false);
});
