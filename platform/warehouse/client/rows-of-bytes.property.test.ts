import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { rowsOfBytes } from './rows-of-bytes.ts';

async function* cut(text: string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function all(pieces: AsyncIterable<Buffer>): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const some of rowsOfBytes(pieces)) {
    expect(some.length).toBeGreaterThan(0);
    rows.push(...some);
  }
  return rows;
}

describe('rows of a response', () => {
  test('are the same, wherever the bytes are split', async () => {
    const row = fc.record({
      text: fc.string({ unit: 'binary' }),
      list: fc.array(fc.string()),
      number: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.boolean(),
        async (rows, sizes, isEnded) => {
          const lines = rows.map((one) => JSON.stringify(one)).join('\n');
          const text = isEnded && rows.length > 0 ? `${lines}\n` : lines;
          expect(await all(cut(text, sizes))).toEqual(rows);
        },
      ),
    );
  });

  test('are an error of the warehouse, not of the parser, if they are malformed', async () => {
    await expect(all(cut('{"a":1}\n{"a":', [100]))).rejects.toMatchObject({ name: 'WarehouseUnavailable' });
  });
});
