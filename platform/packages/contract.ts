import { expect, test } from '#jest';
import type { PackageFiles } from './port.ts';

const CUSTOMER = '01993d5a-7c00-7000-8000-0000000000c1';
const OTHER = '01993d5a-7c00-7000-8000-0000000000c2';

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('begun');
  throw new Error('broken off');
}

/** The contract of every package store. `files`: an empty store. */
export function describePackageFiles(files: () => PackageFiles): void {
  const textAt = async (customerId: string, name: string, from = 0, to = 1_000): Promise<string | null> => {
    const opened = await files().open({ customerId, name });
    if (opened === null) return null;
    const bytes = await opened.read(from, to);
    await opened.close();
    return Buffer.from(bytes).toString();
  };

  test('a file is stored unchanged, and can be read from any offset', async () => {
    await files().write({ customerId: CUSTOMER, name: 'a.zip' }, pieces('one ', 'two ', 'three'));
    expect(await textAt(CUSTOMER, 'a.zip')).toBe('one two three');
    expect(await textAt(CUSTOMER, 'a.zip', 4, 7)).toBe('two');
    const opened = await files().open({ customerId: CUSTOMER, name: 'a.zip' });
    expect(opened!.size).toBe(13);
    await opened!.close();
  });

  test('a customer only has its own files', async () => {
    await files().write({ customerId: CUSTOMER, name: 'own.zip' }, pieces('1'));
    expect(await textAt(OTHER, 'own.zip')).toBeNull();
    expect(await files().names(OTHER)).toEqual([]);
    expect(await files().customers()).toContain(CUSTOMER);
  });

  test('a file whose write failed does not exist', async () => {
    const location = { customerId: CUSTOMER, name: 'broken.zip' };
    await expect(files().write(location, failing())).rejects.toThrow('broken off');
    expect(await textAt(CUSTOMER, 'broken.zip')).toBeNull();
    expect(await files().names(CUSTOMER)).not.toContain('broken.zip');
  });

  test('a name is used only once', async () => {
    const location = { customerId: CUSTOMER, name: 'once.zip' };
    await files().write(location, pieces('first'));
    await expect(files().write(location, pieces('second'))).rejects.toThrow();
    expect(await textAt(CUSTOMER, 'once.zip')).toBe('first');
  });

  test('a removed file is gone, even if it is removed twice', async () => {
    const location = { customerId: CUSTOMER, name: 'gone.zip' };
    await files().write(location, pieces('1'));
    await files().remove(location);
    await files().remove(location);
    expect(await textAt(CUSTOMER, 'gone.zip')).toBeNull();
    await files().write({ customerId: OTHER, name: 'all.zip' }, pieces('1'));
    await files().removeAll(OTHER);
    await files().removeAll(OTHER);
    expect(await files().names(OTHER)).toEqual([]);
  });

  test.each(['../a.zip', 'a/b', '', '.', '..', 'a\\b', 'a\0b', '-x'])(
    '%j is not a valid name',
    async (name) => {
      await expect(files().write({ customerId: CUSTOMER, name }, pieces('1'))).rejects.toThrow(RangeError);
      await expect(files().write({ customerId: name, name: 'a.zip' }, pieces('1'))).rejects.toThrow(
        RangeError,
      );
    },
  );
}
