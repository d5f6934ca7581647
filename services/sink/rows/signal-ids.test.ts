import { describe, expect, test } from '#jest';
import { isStored, NO_SIGNALS, settled, withChunk } from './signal-ids.ts';

const idsAfter = (...chunks: string[][]) =>
  chunks.reduce((ids, chunk) => withChunk(ids, new Set(chunk)), NO_SIGNALS);

describe('known signal ids', () => {
  test('an id above all others is new, an id of the last chunk is stored', () => {
    const ids = idsAfter(['b', 'd']);
    expect(isStored(ids, 'd')).toBe(true);
    expect(isStored(ids, 'c')).toBe(false);
    expect(isStored(ids, 'e')).toBe(false);
  });

  test('an id that is not above those of earlier chunks must be looked up', () => {
    const ids = idsAfter(['b', 'd'], ['f']);
    expect(isStored(ids, 'd')).toBeNull();
    expect(isStored(ids, 'c')).toBeNull();
    expect(isStored(ids, 'e')).toBe(false);
    expect(isStored(settled(ids), 'e')).toBeNull();
    expect(isStored(settled(ids), 'g')).toBe(false);
  });

  test("the greatest id of all chunks counts, not the last chunk's", () => {
    expect(isStored(idsAfter(['x'], ['b'], ['c']), 'd')).toBeNull();
  });

  test('nothing is known about an unknown customer', () => {
    expect(isStored(undefined, 'a')).toBeNull();
  });

  test('an id that the warehouse may order differently must be looked up', () => {
    // U+FFFD sorts above U+10000 by code units, and below it by bytes.
    expect(isStored(idsAfter(['\u{10000}'], []), '\u{fffd}')).toBeNull();
  });
});
