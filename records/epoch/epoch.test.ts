import { describe, expect, test } from '#jest';
import type { Documents, State } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { agreeOnEpoch, decideEpoch, type EpochStores, startNewEpoch } from './epoch.ts';

const ours = (epoch: number) => ({ epoch, setUp: 'ours' });
const other = (epoch: number) => ({ epoch, setUp: 'another' });

describe('the epoch on which log, state and warehouse agree', () => {
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
    { state: ours(1), warehouse: other(1), logEmpty: false, says: 'different installations' },
  ])('refused: $says', ({ state, warehouse, logEmpty, says }) => {
    expect(decideEpoch(state, warehouse, logEmpty)).toEqual({ refused: expect.stringContaining(says) });
  });
});

describe('starting a new epoch', () => {
  /** Dependencies at epoch 1; `members` is called with the number of the query. */
  function dependenciesAt1(members: (group: string, question: number) => string[]) {
    const written: string[] = [];
    let stateEpoch = ours(1);
    let warehouseEpoch = ours(1);
    let questions = 0;
    const documents: Pick<Documents, 'get' | 'write'> = {
      get: async () => ({ value: stateEpoch, version: 1 }) as never,
      write: async (_scope, [write]) => {
        written.push('state');
        stateEpoch = (write as { value: typeof stateEpoch }).value;
        return { outcome: 'written' } as never;
      },
    };
    const warehouse: Pick<Warehouse, 'query' | 'insert'> = {
      query: async () => [warehouseEpoch] as never,
      insert: async (_table, _columns, [row]) => {
        written.push('warehouse');
        warehouseEpoch = row as typeof warehouseEpoch;
      },
    };
    const dependencies = {
      log: {
        members: async (group: string) => members(group, questions++),
        bounds: async () => ({ start: 0, end: 1 }),
      },
      state: { documents } as unknown as State,
      warehouse: warehouse as Warehouse,
      now: () => 0,
      newId: () => 'ours',
    } as unknown as EpochStores;
    return { dependencies, written };
  }
  const GROUPS = ['sink', 'analyzer'];

  test('writes the state first, then its requirements, and the warehouse last, once the groups have no members', async () => {
    const { dependencies, written } = dependenciesAt1(() => []);
    expect(
      await startNewEpoch(dependencies, GROUPS, async (epoch) => void written.push(`positions of ${epoch}`)),
    ).toBe(2);
    expect(written).toEqual(['state', 'positions of 2', 'warehouse']);
    expect(await agreeOnEpoch(dependencies, { initialise: false })).toBe(2);
  });

  test.each(GROUPS)(
    'refuses while the group %s has members, names them, and changes nothing',
    async (busy) => {
      const { dependencies, written } = dependenciesAt1((group) =>
        group === busy ? ['cas@host-1 (10.0.0.1)'] : [],
      );
      const refused = startNewEpoch(dependencies, GROUPS, async () => void written.push('positions'));
      await expect(refused).rejects.toThrow(
        `the group "${busy}" has members: cas@host-1 (10.0.0.1). Nothing was`,
      );
      expect(written).toEqual([]);
      expect(await agreeOnEpoch(dependencies, { initialise: false })).toBe(1);
    },
  );

  test('fails if a service joined after the first check: then nothing starts until the command has run again', async () => {
    const { dependencies, written } = dependenciesAt1((_group, question) =>
      question < GROUPS.length ? [] : ['late'],
    );
    const refused = startNewEpoch(dependencies, GROUPS, async () => void written.push('positions'));
    await expect(refused).rejects.toThrow(
      'has members: late. Services start only after the command has finished',
    );
    expect(written).toEqual(['state']);
    await expect(agreeOnEpoch(dependencies, { initialise: false })).rejects.toThrow(
      'log epoch 2, the warehouse 1',
    );
  });
});
