import { expect, test } from '#jest';
import { API_KEYS, type DocumentRef } from './port.ts';
import type { Subject } from './testing/subject.ts';

const ref: DocumentRef = { scope: 'c1', collection: API_KEYS, id: 'k-1' };
const { collection, id } = ref;

export function describeSealContract(subject: Subject): void {
  const documents = () => subject().state.documents;
  const sealOf = async () => (await documents().get(ref))?.seal;
  const write = (value: unknown, seal?: string) =>
    documents().write('c1', [{ collection, id, value, ...(seal === undefined ? {} : { seal }) }]);

  test('a seal is kept with the version it was written with, and deleted with it', async () => {
    await write({ status: 'active' }, 'one');
    await subject().reopen();
    expect(await documents().get(ref)).toEqual({ id, version: 1, value: { status: 'active' }, seal: 'one' });
    await write({ status: 'revoked' }, 'two');
    expect(await sealOf()).toBe('two');
    await write({ status: 'revoked' });
    expect(await documents().get(ref)).toEqual({ id, version: 3, value: { status: 'revoked' } });
    await write(null);
    await write({ status: 'active' });
    expect(await sealOf()).toBeUndefined();
  });

  test('an unchanged document gets a seal if it has the expected version', async () => {
    await write({ status: 'active' });
    const seal = (expectedVersion: number) =>
      documents().write('c1', [
        {
          ...{ collection, id, expectedVersion, value: { status: 'active' } },
          unchanged: true,
          seal: 'later',
        },
      ]);
    expect(await seal(2)).toMatchObject({ ok: false });
    expect(await sealOf()).toBeUndefined();
    expect(await seal(1)).toEqual({ ok: true, versions: [1] });
    expect(await documents().get(ref)).toEqual({
      ...{ id, version: 1, value: { status: 'active' } },
      seal: 'later',
    });
    await subject().reopen();
    expect(await sealOf()).toBe('later');
  });

  test('a missing document gets no seal', async () => {
    await documents().write('c1', [{ collection, id, value: 1, unchanged: true, seal: 'later' }]);
    expect([await documents().get(ref), await documents().ids('c1', collection)]).toEqual([null, []]);
  });
}
