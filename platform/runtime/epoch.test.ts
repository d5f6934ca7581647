import { describe, expect, test } from '@jest/globals';
import { decideEpoch } from './epoch.ts';

describe('which epoch the parts agree on', () => {
  test.each([
    { state: null, warehouse: null, logEmpty: true, epoch: 1, initialise: true },
    { state: 1, warehouse: null, logEmpty: true, epoch: 1, initialise: true },
    { state: 1, warehouse: 1, logEmpty: false, epoch: 1, initialise: false },
    { state: 1, warehouse: 1, logEmpty: true, epoch: 1, initialise: false },
    { state: 3, warehouse: 3, logEmpty: false, epoch: 3, initialise: false },
  ])(
    'state $state, warehouse $warehouse, log empty $logEmpty',
    ({ state, warehouse, logEmpty, ...expected }) => {
      expect(decideEpoch(state, warehouse, logEmpty)).toEqual(expected);
    },
  );

  test.each([
    { state: null, warehouse: null, logEmpty: false, says: 'state and warehouse are empty' },
    { state: null, warehouse: 1, logEmpty: false, says: 'the state is empty' },
    { state: null, warehouse: 1, logEmpty: true, says: 'the state is empty' },
    { state: 1, warehouse: null, logEmpty: false, says: 'the warehouse is empty' },
    { state: 2, warehouse: null, logEmpty: true, says: 'the warehouse is empty' },
    { state: 1, warehouse: 2, logEmpty: false, says: 'do not belong together' },
  ])(
    'refused: state $state, warehouse $warehouse, log empty $logEmpty',
    ({ state, warehouse, logEmpty, says }) => {
      expect(decideEpoch(state, warehouse, logEmpty)).toEqual({ refused: expect.stringContaining(says) });
    },
  );
});
