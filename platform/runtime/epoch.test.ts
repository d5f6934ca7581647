import { describe, expect, test } from '@jest/globals';
import { decideEpoch } from './epoch.ts';

const ours = (epoch: number) => ({ epoch, setUp: 'ours' });
const other = (epoch: number) => ({ epoch, setUp: 'another' });

describe('which epoch the parts agree on', () => {
  test.each([
    { name: 'all new', state: null, warehouse: null, logEmpty: true, epoch: 1, initialise: true },
    {
      name: 'crashed while new',
      state: ours(1),
      warehouse: null,
      logEmpty: true,
      epoch: 1,
      initialise: true,
    },
    { name: 'in use', state: ours(1), warehouse: ours(1), logEmpty: false, epoch: 1, initialise: false },
    {
      name: 'nothing ingested yet',
      state: ours(1),
      warehouse: ours(1),
      logEmpty: true,
      epoch: 1,
      initialise: false,
    },
    {
      name: 'a later epoch',
      state: ours(3),
      warehouse: ours(3),
      logEmpty: false,
      epoch: 3,
      initialise: false,
    },
  ])('$name', ({ name: _name, state, warehouse, logEmpty, ...expected }) => {
    expect(decideEpoch(state, warehouse, logEmpty)).toEqual(expected);
  });

  test.each([
    { state: null, warehouse: null, logEmpty: false, says: 'state and warehouse are empty' },
    { state: null, warehouse: ours(1), logEmpty: false, says: 'the state is empty' },
    { state: null, warehouse: ours(1), logEmpty: true, says: 'the state is empty' },
    { state: ours(1), warehouse: null, logEmpty: false, says: 'the warehouse is empty' },
    { state: ours(2), warehouse: null, logEmpty: true, says: 'the warehouse is empty' },
    { state: ours(1), warehouse: ours(2), logEmpty: false, says: 'log epoch 1, the warehouse 2' },
    { state: ours(1), warehouse: other(1), logEmpty: false, says: 'two different installations' },
  ])('refused: $says', ({ state, warehouse, logEmpty, says }) => {
    expect(decideEpoch(state, warehouse, logEmpty)).toEqual({ refused: expect.stringContaining(says) });
  });
});
