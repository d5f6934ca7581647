import { beforeEach, expect, test } from '#jest';
import { memoryLog } from '#platform/stream/testing/memory-log.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { PARTITIONS } from '#schemas/topics.ts';
import { acceptState } from './accept-state.ts';
import { type ComparedStores, refuseOlderState, StateOlder } from './older-state.ts';

/** An operator accepts a state that lacks a sandbox known to the ledger. */

const GROUPS = ['sink', 'analyzer'];
let dependencies: ComparedStores;
beforeEach(() => {
  const warehouse: Pick<Warehouse, 'query' | 'stream'> = {
    query: async (sql) => (sql.includes('FROM positions') ? [] : [{ found: 0 }]) as never,
    async *stream(_sql, { kind, entryId } = {}) {
      if (kind === 'POLICY_EVENT' && String(entryId).startsWith('^sandbox:'))
        yield [{ customerId: 'alice', document: 's1', version: 2 }] as never;
    },
  };
  dependencies = {
    state: { documents: memoryState().documents },
    warehouse: warehouse as Warehouse,
    log: memoryLog({ partitions: PARTITIONS }),
  };
});

const accept = (members: (group: string) => string[]) =>
  acceptState(
    {
      ...dependencies,
      log: { ...dependencies.log, members: async (group) => members(group) },
      makeEntry: () => Promise.reject(new Error('no document is raised')),
      now: () => 0,
      newId: () => 'an id',
    },
    GROUPS,
  );

test.each(GROUPS)('refuses while the group %s has members, names them, and changes nothing', async (busy) => {
  const accepted = accept((group) => (group === busy ? ['cas@host-1 (10.0.0.1)'] : []));
  await expect(accepted).rejects.toThrow(
    `while the older state is being accepted, but the group "${busy}" has members: cas@host-1 (10.0.0.1). The state was not changed`,
  );
  await expect(refuseOlderState(dependencies)).rejects.toBeInstanceOf(StateOlder);
});

test('gives up documents missing in the state once the groups have no members', async () => {
  expect(await accept(() => [])).toEqual({ lifted: 0, givenUp: 1 });
  await refuseOlderState(dependencies);
});
