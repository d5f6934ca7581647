import { expect, test } from '#jest';
import { redisKeys } from './keys.ts';
import { createRedisRemains } from './remains.ts';

const keys = redisKeys('cas:');
const remainsOf = (customerId: string) => ({ customerId, expiringPrefix: `claims:${customerId}:` });

/** A server whose scans return `pages` pages, each with these keys. */
function serverOf(pages: number, found: readonly string[] = []) {
  const calls: string[] = [];
  let generation = 0;
  let onScan = (_cursor: number): void => undefined;
  const removeRemains = createRedisRemains({
    keys,
    connection: {
      generation: () => generation,
      call: async (command, ...args) => {
        calls.push(command === 'SCAN' ? `SCAN ${args[0]} ${args[2]}` : `${command} ${args.join(' ')}`);
        await new Promise(setImmediate);
        if (command !== 'SCAN') return found.length;
        const cursor = Number(args[0]);
        onScan(cursor);
        return [String((cursor + 1) % pages), [...found]];
      },
    },
  });
  return {
    removeRemains,
    calls,
    onScan: (act: (cursor: number) => void) => {
      onScan = act;
    },
    loseConnection: () => {
      generation += 1;
    },
  };
}

test('one pass removes marks, values and their flags, and keeps keys that only look similar', async () => {
  const own = [
    keys.mark('alice', 'a1'),
    keys.expiring('claims:alice:a1'),
    keys.unconfirmedValue('claims:alice:a1'),
  ];
  const others = [
    keys.document({ scope: 'alice', collection: 'customers', id: 'alice' }),
    keys.unconfirmed('alice'),
    keys.mark('alice2', 'a1'),
    keys.mark('bob', 'alice'),
    keys.expiring('lease:alice'),
    keys.expiring('claims:bob:alice'),
  ];
  const server = serverOf(2, [...own, ...others]);
  await server.removeRemains(remainsOf('alice'), new AbortController().signal);
  const removal = `DEL ${own.join(' ')}`;
  expect(server.calls).toEqual(['SCAN 0 cas:[meu]*alice*', removal, 'SCAN 1 cas:[meu]*alice*', removal]);
});

test('removals of one process take turns, also after a failed one', async () => {
  const server = serverOf(3);
  let refuses = true;
  server.onScan((cursor) => {
    if (refuses && cursor === 1) {
      refuses = false;
      throw new Error('away');
    }
  });
  const gone = new AbortController().signal;
  const outcomes = await Promise.allSettled(
    ['alice', 'bob', 'carol'].map((customer) => server.removeRemains(remainsOf(customer), gone)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  const scans = (customer: string, pages: number) =>
    Array.from({ length: pages }, (_, cursor) => `SCAN ${cursor} cas:[meu]*${customer}*`);
  expect(server.calls).toEqual([...scans('alice', 2), ...scans('bob', 3), ...scans('carol', 3)]);
});

test('an aborted removal sends no more commands, in its turn or before', async () => {
  const server = serverOf(1_000_000);
  const gone = new AbortController();
  server.onScan((cursor) => {
    if (cursor === 2) gone.abort();
  });
  const both = await Promise.allSettled(
    ['alice', 'bob'].map((customer) => server.removeRemains(remainsOf(customer), gone.signal)),
  );
  for (const one of both) expect(one).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
  expect(server.calls).toHaveLength(3);
});

test('a cursor of another server is never used, and the removal must start again', async () => {
  const server = serverOf(3);
  server.onScan((cursor) => {
    if (cursor === 1) server.loseConnection();
  });
  const gone = new AbortController().signal;
  await expect(server.removeRemains(remainsOf('alice'), gone)).rejects.toMatchObject({
    name: 'StateUnavailable',
  });
  expect(server.calls).toHaveLength(2);
  server.calls.length = 0;
  await server.removeRemains(remainsOf('alice'), gone).catch(() => undefined);
  expect(server.calls[0]).toBe('SCAN 0 cas:[meu]*alice*');
});
