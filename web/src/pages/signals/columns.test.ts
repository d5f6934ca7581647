import { expect, test } from '#jest';
import { keepColumns, readColumns } from './columns.ts';

const holding = (text: string | null) => ({ getItem: () => text });

test('columns are kept as they were chosen, in the list’s order', () => {
  const kept: string[] = [];
  keepColumns({ setItem: (_key, value) => void kept.push(value) }, ['index', 'sandbox']);
  expect(readColumns(holding(kept[0]!))).toEqual(['sandbox', 'index']);
  expect(readColumns(holding('[]'))).toEqual([]);
});

test.each([null, '{', '{}', 'null', '7'])('where %j is stored, those by default are shown', (text) =>
  expect(readColumns(holding(text))).toContain('model'),
);

test('what is no column is passed over', () =>
  expect(readColumns(holding('["__proto__", "model", 7]'))).toEqual(['model']));
