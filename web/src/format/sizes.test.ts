import { expect, test } from '#jest';
import { byteSize } from './sizes.ts';

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_024, '1.0 KiB'],
  [1_572_864, '1.5 MiB'],
  [5 * 1024 ** 4, '5120.0 GiB'],
])('%s bytes', (bytes, text) => expect(byteSize(bytes)).toBe(text));
