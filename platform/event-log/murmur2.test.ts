import { describe, expect, test } from '#jest';
import { murmur2, partitionOf } from './murmur2.ts';

describe('murmur2', () => {
  // Test vectors of Kafka's UtilsTest (org.apache.kafka.common.utils).
  test.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('%s', (text, hash) => {
    expect(murmur2(Buffer.from(text))).toBe(hash);
  });

  test('partitions of keys never change', () => {
    const keys = ['', 'a', '01931f0e-8c7a-7d3e-9c2a-5f1b2c3d4e5f', 'customer-42', 'schlüssel', '鍵🔑'];
    expect(keys.map((key) => partitionOf(key, 12))).toMatchInlineSnapshot(`
[
  9,
  4,
  3,
  9,
  0,
  10,
]
`);
  });
});
