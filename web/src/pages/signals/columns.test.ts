import { expect, test } from '#jest';
import { keepColumns, readColumns } from './columns.ts';

const holding = (text: string | null) => ({ getItem: () => text });

test('saves the chosen columns, in the list’s order', () => {
  const kept: string[] = [];
  keepColumns({ setItem: (_key, value) => void kept.push(value) }, ['index', 'sandbox']);
  expect(readColumns(holding(kept[0]!))).toEqual(['sandbox', 'index']);
  expect(readColumns(holding('[]'))).toEqual([]);
});

test.each([null, '{', '{}', 'null', '7'])('shows the default columns when %j is stored', (text) =>
  expect(readColumns(holding(text))).toContain('model'),
);

test('skips unknown columns', () =>
  expect(readColumns(holding('["__proto__", "model", 7]'))).toEqual(['model']));
