import { expect, test } from '#jest';
import { basePathOf } from './base-path.ts';

test.each([
  ['http://127.0.0.1:8080/ui/assets/index-1.js', ''],
  ['https://example.org/audit/ui/assets/index-1.js?x=/ui/', '/audit'],
  ['https://example.org/tools/ui/audit/ui/assets/index-1.js', '/tools/ui/audit'],
  ['http://127.0.0.1:5173/ui/src/address/base-path.ts', ''],
])('a file at %s belongs to a service under %j', (address, expected) => {
  expect(basePathOf(address)).toBe(expected);
});
