import { describe, expect, test } from '#jest';
import { isStored, NO_SIGNALS, settled, withChunk } from './signal-ids.ts';

const behind = (...chunks: string[][]) =>
  chunks.reduce((ids, chunk) => withChunk(ids, new Set(chunk)), NO_SIGNALS);

describe('what is known of the ids of signals', () => {
  test('an id above all others is new, one of the last chunk is stored', () => {
    const ids = behind(['b', 'd']);
    expect(isStored(ids, 'd')).toBe(true);
    expect(isStored(ids, 'c')).toBe(false);
    expect(isStored(ids, 'e')).toBe(false);
  });

  test('one that is not above those of earlier chunks has to be looked up', () => {
    const ids = behind(['b', 'd'], ['f']);
    expect(isStored(ids, 'd')).toBeNull();
    expect(isStored(ids, 'c')).toBeNull();
    expect(isStored(ids, 'e')).toBe(false);
    expect(isStored(settled(ids), 'e')).toBeNull();
    expect(isStored(settled(ids), 'g')).toBe(false);
  });

  test('the greatest id of all chunks counts, not that of the last one', () => {
    expect(isStored(behind(['x'], ['b'], ['c']), 'd')).toBeNull();
  });

  test('nothing is said of a customer that is not known', () => {
    expect(isStored(undefined, 'a')).toBeNull();
  });

  test('an id whose order the warehouse may see otherwise has to be looked up', () => {
    // By code units U+FFFD is above U+10000, by bytes it is below.
    expect(isStored(behind(['\u{10000}'], []), '\u{fffd}')).toBeNull();
  });
});
