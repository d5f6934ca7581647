import { afterEach, beforeEach, expect, test } from '#jest';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { DamagedDocument } from '../damaged-document.ts';
import { type RedisBench, redisBench } from '../testing/redis-server.ts';

describeOn('redis', 'a damaged document in Redis', () => {
  let bench: RedisBench;
  beforeEach(() => {
    bench = redisBench();
  });
  afterEach(() => bench.close());

  test('a damaged document, or one with another’s text, is an error that names it, alone and in a list', async () => {
    const address = `redis://127.0.0.1:${await bench.bareServer('--appendonly', 'yes', '--appendfsync', 'always')}`;
    const state = await bench.state(address);
    const ref = (id: string) => ({ scope: 'c1', collection: 'things', id });
    const write = (id: string, value: unknown) => state.documents.write('c1', [{ ...ref(id), value }]);
    await write('one', { text: 'alpha' });
    await write('two', { text: 'omega' });
    const client = bench.client(address);
    const stored = (id: string): string => `cas:doc:{c1}:things:${id}`;
    const text = (await client.hget(stored('one'), 'json'))!;
    const named = /the state is damaged: \{c1\}:things:one differs from what was written/;
    for (const damaged of [
      text.replace('alpha', 'alphb'),
      text.slice(0, -1),
      (await client.hget(stored('two'), 'json'))!,
    ]) {
      await client.hset(stored('one'), 'json', damaged);
      await expect(state.documents.get(ref('one'))).rejects.toThrow(named);
      await expect(state.documents.list('c1', 'things')).rejects.toBeInstanceOf(DamagedDocument);
    }
    expect((await state.documents.get(ref('two')))?.value).toEqual({ text: 'omega' });
  });
});
