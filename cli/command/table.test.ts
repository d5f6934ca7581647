import { describe, expect, test } from '#jest';
import { layOut, wrap } from './table.ts';

const ID = '01993d5a-7c00-7000-8000-0000000000a7';
const HEAD = ['ID', 'NAME', 'CREATED'];
const lines = (rows: readonly (readonly (string | number)[])[], width: number): string[] =>
  layOut(rows, width).split('\n');

describe('a table', () => {
  test('is as wide as its cells where there is room', () => {
    const rows = [HEAD, [ID, 'Acme', '2026-11-30'], ['x', 'B', '']];
    expect(lines(rows, 80)).toEqual([
      `ID${' '.repeat(34)}  NAME  CREATED`,
      `${ID}  Acme  2026-11-30`,
      `x${' '.repeat(35)}  B`,
    ]);
  });

  const NAME = 'The Society for the Protection of Very Long Names of Customers';
  const isNarrow = (printed: readonly string[], width: number): boolean =>
    printed.every((line) => line.length <= width);

  test('puts ids on a separate line if the row is too wide', () => {
    const rows = [HEAD, [ID, NAME, '2026-11-30']];
    expect(lines(rows, 80)).toEqual([
      'ID',
      `  NAME${' '.repeat(NAME.length - 4)}  CREATED`,
      ID,
      `  ${NAME}  2026-11-30`,
    ]);
    expect(lines(rows, 160)).toHaveLength(2);
  });

  test('wraps the widest text by words if that is not enough', () => {
    const printed = lines([HEAD, [ID, NAME, '2026-11-30']], 60);
    expect([isNarrow(printed, 60), printed.slice(2)]).toEqual([
      true,
      [ID, '  The Society for the Protection of Very Long     2026-11-30', '  Names of Customers'],
    ]);
    const withoutIds = lines(
      [
        ['WHAT', 'CODE'],
        [NAME, 'A'],
      ],
      40,
    );
    expect([isNarrow(withoutIds, 40), withoutIds]).toEqual([
      true,
      [`${'WHAT'.padEnd(34)}  CODE`, 'The Society for the Protection of   A', 'Very Long Names of Customers'],
    ]);
  });

  test('breaks long words, but never ids', () => {
    const printed = lines(
      [
        ['NAME', 'OF'],
        ['x'.repeat(200), ID],
      ],
      80,
    );
    expect(isNarrow(printed, 80)).toBe(true);
    expect(printed.join('').replaceAll(/[^x]/g, '')).toHaveLength(200);
    expect(printed[1]).toContain(ID);
  });

  test('aligns numbers to the right', () => {
    expect(
      lines(
        [
          ['NAME', 'COUNT'],
          ['a', 7],
          ['b', 12],
        ],
        80,
      ),
    ).toEqual(['NAME  COUNT', 'a         7', 'b        12']);
  });
});

test.each([
  ['a bc def', 4, ['a bc', 'def']],
  ['abcdef gh', 4, ['abcd', 'ef', 'gh']],
  ['漢字漢字', 4, ['漢字', '漢字']],
  ['👩‍👧👩‍👧', 2, ['👩‍👧', '👩‍👧']],
  ['fits', 4, ['fits']],
])('%s in %i columns is %j', (text, width, wrapped) => {
  expect(wrap(text, width)).toEqual(wrapped);
});
