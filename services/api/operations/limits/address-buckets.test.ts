import { describe, expect, test } from '#jest';
import { createAddressBuckets, networkOf } from './address-buckets.ts';

describe('address buckets', () => {
  test('are separate, and refill', () => {
    let at = 0;
    const buckets = createAddressBuckets({ perSecond: 2, burst: 3 }, () => at);
    const takes = (address: string, count: number): boolean[] =>
      Array.from({ length: count }, () => buckets.take(address));
    expect(takes('192.0.2.1', 4)).toEqual([true, true, true, false]);
    expect(takes('192.0.2.2', 1)).toEqual([true]);
    at = 500;
    expect(takes('192.0.2.1', 2)).toEqual([true, false]);
    at = 60_000;
    expect(takes('192.0.2.1', 4)).toEqual([true, true, true, false]);
  });

  test('are evicted least recently seen first, so endless addresses take bounded memory', () => {
    const buckets = createAddressBuckets({ perSecond: 0, burst: 1 }, () => 0);
    const address = (number: number): string => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
    expect([buckets.take(address(0)), buckets.take(address(0))]).toEqual([true, false]);
    for (let number = 1; number <= 9_999; number++) buckets.take(address(number));
    expect(buckets.take(address(0))).toBe(false);
    for (let number = 10_000; number < 20_000; number++) buckets.take(address(number));
    expect(buckets.take(address(0))).toBe(true);
  });

  test('are shared by an IPv6 network', () => {
    const buckets = createAddressBuckets({ perSecond: 0, burst: 1 }, () => 0);
    expect(buckets.take('2001:db8:1:2:3:4:5:6')).toBe(true);
    expect(buckets.take('2001:db8:1:2:aaaa::1')).toBe(false);
    expect(buckets.take('2001:db8:1:3::1')).toBe(true);
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['2001:DB8::7', '2001:db8:0:0'],
  ['2001:0db8:0000:0001:1:2:3:4', '2001:db8:0:1'],
  ['1::3:4:5:6:7:8', '1:0:3:4'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['1:2:3:4:5:6:7::', '1:2:3:4'],
])('%s belongs to the network %s', (address, network) => expect(networkOf(address)).toBe(network));
