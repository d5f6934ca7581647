import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { addressBytes, isWithin, networkOf } from './addresses.ts';

const anything = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.string({ unit: fc.constantFrom(...'0123456789abf.:'), maxLength: 46 }),
);

/** Like Node, rejects zone IDs, and leading zeros in IPv4. */
test('text is an address if Node accepts it', () => {
  fc.assert(
    fc.property(anything, (text) => {
      expect([text, addressBytes(text) !== null]).toEqual([text, isIP(text) !== 0]);
    }),
    { numRuns: 2_000 },
  );
});

test('a network contains the addresses that Node finds in it', () => {
  const family = (text: string): 'ipv4' | 'ipv6' => (text.includes(':') ? 'ipv6' : 'ipv4');
  const pair = fc.oneof(
    fc.tuple(fc.ipV4(), fc.ipV4(), fc.nat(32)),
    fc.tuple(fc.ipV6(), fc.ipV6(), fc.nat(128)),
  );
  fc.assert(
    fc.property(pair, ([base, address, bits]) => {
      const [network, bytes] = [networkOf(`${base}/${bits}`), addressBytes(address)];
      // Node compares IPv4-mapped IPv6 addresses as IPv6.
      if (network === null || network.bytes.length * 8 < bits || base.includes('.') !== address.includes('.'))
        return;
      if (bytes?.length !== network.bytes.length) return;
      const list = new BlockList();
      list.addSubnet(base, bits, family(base));
      expect(isWithin(bytes, network)).toBe(list.check(address, family(address)));
    }),
    { numRuns: 1_000 },
  );
});

describe('a network', () => {
  test.each(['10.0.0.0/8', ' 203.0.113.7 ', '2001:db8::/32', '::/0', '0.0.0.0/0', '::ffff:10.0.0.0/104'])(
    'is %s',
    (text) => expect(networkOf(text)).not.toBeNull(),
  );
  test.each([
    '',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '010.0.0.1',
    '10.0.0.0/-1',
    '10.0.0.0/1e1',
    '2001:db8::/129',
    '1::2::3/64',
    'example.com',
    '::ffff:10.0.0.0/64',
    `${'1'.repeat(10_000)}/8`,
  ])('is not %s', (text) => expect(networkOf(text)).toBeNull());

  test('an IPv4-mapped IPv6 address is in the IPv4 network', () => {
    expect(isWithin(addressBytes('::ffff:10.1.2.3')!, networkOf('10.0.0.0/8')!)).toBe(true);
    expect(isWithin(addressBytes('11.1.2.3')!, networkOf('10.0.0.0/8')!)).toBe(false);
    expect(isWithin(addressBytes('2001:db8::1')!, networkOf('0.0.0.0/0')!)).toBe(false);
  });
});
