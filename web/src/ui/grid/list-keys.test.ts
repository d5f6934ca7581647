import { expect, test } from '#jest';
import { moveOf } from './list-keys.ts';

test.each<[key: string, active: number, rows: number, move: ReturnType<typeof moveOf>]>([
  ['j', -1, 3, { to: 0 }],
  ['j', 0, 3, { to: 1 }],
  ['ArrowDown', 2, 3, { to: 2 }],
  ['k', 0, 3, { to: 0 }],
  ['k', -1, 3, { to: 0 }],
  ['ArrowUp', 2, 3, { to: 1 }],
  ['PageDown', 0, 30, { to: 10 }],
  ['PageUp', 3, 30, { to: 0 }],
  ['Home', 2, 3, { to: 0 }],
  ['End', 0, 3, { to: 2 }],
  ['Enter', 1, 3, 'open'],
  ['Enter', -1, 3, null],
  ['j', -1, 0, null],
  ['x', 1, 3, null],
])('%s at %d of %d', (key, active, rows, move) => expect(moveOf(key, active, rows)).toEqual(move));
