import { describe, expect, test } from '#jest';
import { lineOf, type Segment, segmentsOf } from './segments.ts';
import type { Item } from './splitter.ts';

const item = (text: string, line = 1): Item => ({ line, bytes: Buffer.from(text) });

async function segments(items: readonly Item[]): Promise<Segment[]> {
  async function* source(): AsyncGenerator<Item> {
    yield* items;
  }
  const found: Segment[] = [];
  for await (const segment of segmentsOf(source())) found.push(segment);
  return found;
}

describe('segments', () => {
  test('end at 1,000 items or before 8 MiB, and contain every item in order', async () => {
    const many = Array.from({ length: 2_500 }, (_, n) => item(`${n}`, n));
    const byCount = await segments(many);
    expect(byCount.map(({ number, items }) => [number, items.length])).toEqual([
      [0, 1_000],
      [1, 1_000],
      [2, 500],
    ]);
    expect(byCount.flatMap(({ items }) => items)).toEqual(many);
    const large = Array.from({ length: 10 }, () => item('x'.repeat(1_500_000)));
    expect((await segments(large)).map(({ items }) => items.length)).toEqual([5, 5]);
    expect(await segments([])).toEqual([]);
  });
});

describe('an item as a line', () => {
  const text = (from: string, slug?: string): string => {
    const line = lineOf(item(from), slug);
    return 'text' in line ? String(line.text) : line.refused.code;
  };

  test('is unchanged, unless it spans several lines', () => {
    expect(text('{"a": 1e999}')).toBe('{"a": 1e999}');
    expect(text('{"a":')).toBe('{"a":');
    expect(text('{\r\n  "a": [1,\n2]\n}')).toBe('{    "a": [1, 2] }');
    expect(JSON.parse(text('{\n"a": "\\n"\n}'))).toEqual({ a: '\n' });
  });

  test('is rejected if it spans several lines and is not JSON, or is too large', () => {
    expect(text('{\n"a": "\n"}')).toBe('INVALID_JSON');
    expect(lineOf({ line: 1, bytes: null }, undefined)).toMatchObject({
      refused: { code: 'BODY_TOO_LARGE' },
    });
  });

  test('gets a sandbox if it names none', () => {
    expect(text('{"prompt":"p"}', 'support')).toBe('{"sandboxSlug":"support","prompt":"p"}');
    expect(text(' { } ', 'support')).toBe('{"sandboxSlug":"support"}');
    expect(text('{"sandboxSlug":"own"}', 'support')).toBe('{"sandboxSlug":"own"}');
    for (const other of ['7', '[1]', 'null', '{"a":']) expect(text(other, 'support')).toBe(other);
  });
});
