import { expect, test } from '#jest';
import type { DocumentRef, StoredDocument } from '#platform/state/port.ts';
import { createdWithin } from './created-within.ts';

const DAY_MS = 86_400_000;
const ids = (count: number): string[] => Array.from({ length: count }, (_, number) => String(number));
const days = (from: number | undefined, to: number | undefined) => ({
  from: from === undefined ? undefined : from * DAY_MS,
  to: to === undefined ? undefined : to * DAY_MS,
});

/** Record `n` was created on day `n`; those in `gone` no longer exist. */
function world(gone: readonly string[] = []) {
  const read: string[] = [];
  const get = async <Value>({ scope, id }: DocumentRef): Promise<StoredDocument<Value> | null> => {
    read.push(`${scope} ${id}`);
    if (gone.includes(id)) return null;
    const value = { createdAt: new Date(Number(id) * DAY_MS).toISOString() } as Value;
    return { id, version: 1, value };
  };
  return { read, within: createdWithin({ get }, 'records') };
}

test('returns the ids of records created in the range, ends included, in their order', async () => {
  const { within } = world(['3']);
  expect(await within('c', ids(6), days(1, 4))).toEqual(['1', '2', '4']);
  expect(await within('c', ids(6), days(4, undefined))).toEqual(['4', '5']);
  expect(await within('c', ids(6), days(undefined, 1))).toEqual(['0', '1']);
});

test('reads no record without a range, and each only once with ranges', async () => {
  const { read, within } = world();
  expect(await within('c', ids(1_000))).toHaveLength(1_000);
  expect(await within('c', ids(1_000), days(undefined, undefined))).toHaveLength(1_000);
  expect(read).toEqual([]);
  expect(await within('c', ids(1_000), days(10, 19))).toHaveLength(10);
  expect(await within('c', ids(1_001), days(1_000, undefined))).toEqual(['1000']);
  expect(read).toHaveLength(1_001);
});

test('evicts the times of the least recently used customer', async () => {
  const { read, within } = world();
  for (let customer = 0; customer < 20; customer += 1) await within(`c${customer}`, ids(1), days(0, 1));
  await within('c0', ids(1), days(0, 1));
  await within('another', ids(1), days(0, 1));
  read.length = 0;
  await within('c0', ids(1), days(0, 1));
  expect(read).toEqual([]);
  await within('c1', ids(1), days(0, 1));
  expect(read).toEqual(['c1 0']);
});
