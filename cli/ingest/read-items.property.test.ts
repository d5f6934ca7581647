import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { MAX_TRIPLET_BYTES } from '#schemas/api/audits.ts';
import { readItems } from './read-items.ts';
import { elementSplitter } from './split-elements.ts';
import { lineSplitter } from './split-lines.ts';
import type { Item, Splitter } from './splitter.ts';

/** The items of a text that arrives in chunks, split at `cuts`. */
function split(splitter: Splitter, text: string, cuts: readonly number[]): Item[] {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  const items = ends.flatMap((end) => {
    const chunk = bytes.subarray(from, end);
    from = end;
    return [...splitter.push(chunk)];
  });
  return [...items, ...splitter.end()];
}

const values = (items: readonly Item[]): unknown[] => items.map(({ bytes }) => JSON.parse(String(bytes)));
const anyValue = fc.jsonValue({
  stringUnit: fc.oneof(
    fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', '\n'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});
const cuts = fc.array(fc.nat(), { maxLength: 6 });

describe('the items of a file, with chunks cut anywhere', () => {
  test('are the elements of an array, with the lines on which they start', () => {
    fc.assert(
      fc.property(fc.array(anyValue), fc.constantFrom(undefined, '\t', '\n'), cuts, (array, space, at) => {
        const text = ` ${JSON.stringify(array, undefined, space)}\n`;
        const items = split(elementSplitter(), text, at);
        expect(values(items)).toEqual(JSON.parse(text));
        const first = items[0];
        if (first !== undefined && space === undefined) expect(first.line).toBe(1);
      }),
    );
  });

  test('are the non-empty lines', () => {
    const line = fc.oneof(
      anyValue.map((value) => JSON.stringify(value)),
      fc.constantFrom('', ' ', '\t'),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), cuts, (lines, end, at) => {
        const items = split(lineSplitter(), lines.join(end), at);
        const wanted = lines.flatMap((text, n) => (text.trim() === '' ? [] : [{ text, line: n + 1 }]));
        expect(values(items)).toEqual(wanted.map(({ text }) => JSON.parse(text)));
        expect(items.map((item) => item.line)).toEqual(wanted.map((each) => each.line));
      }),
    );
  });
});

describe('rejects a malformed array', () => {
  test.each([
    ['[1,2', 'Line 1: the array has no end'],
    ['[1,\n"2]', 'Line 2: the array has no end'],
    ['[1,,2]', 'Line 1: an array element is missing'],
    ['[1,\n]', 'Line 2: an array element is missing'],
    ['[,1]', 'Line 1: an array element is missing'],
    ['[1]\n\n[2]', 'Line 3: unexpected text after the end of the array'],
  ])('%j', (text, message) => {
    expect(() => split(elementSplitter(), text, [])).toThrow(message);
  });
});

describe('a file', () => {
  const read = async (content: string | Buffer): Promise<Item[]> => {
    const bytes = Buffer.from(content);
    async function* chunks(size: number): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const [whole, cut] = await Promise.all(
      [bytes.length + 1, bytes.length > 100 ? 65_536 : 1].map(async (size) => {
        const items: Item[] = [];
        for await (const item of readItems(chunks(size))) items.push(item);
        return items;
      }),
    );
    // As strings, which compare in one step.
    const readable = (items: Item[] | undefined) =>
      items?.map((item) => ({ ...item, bytes: item.bytes?.toString('latin1') }));
    expect(readable(cut)).toEqual(readable(whole));
    return whole!;
  };

  test('is recognised by its first character, after a byte order mark and white space', async () => {
    expect(values(await read('\ufeff \n [{"a":1},\n 2]'))).toEqual([{ a: 1 }, 2]);
    expect(values(await read('\ufeff{"a":1}\n{"a":2}'))).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await read('')).toEqual([]);
    expect(await read('\n \n')).toEqual([]);
    expect(await read('[]')).toEqual([]);
  });

  test('continues after an item that is too large to be a triplet', async () => {
    const large = `"${'x'.repeat(3 * MAX_TRIPLET_BYTES)}"`;
    for (const text of [`1\n${large}\n2`, `[1,\n${large},\n2]`]) {
      const items = await read(text);
      expect(items.map(({ line }) => line)).toEqual([1, 2, 3]);
      expect(items.map(({ bytes }) => bytes === null)).toEqual([false, true, false]);
    }
    const largest = `"${'x'.repeat(MAX_TRIPLET_BYTES - 2)}"`;
    expect((await read(`${largest}\n`))[0]?.bytes?.length).toBe(MAX_TRIPLET_BYTES);
  });
});
