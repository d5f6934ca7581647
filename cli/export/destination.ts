import { constants } from 'node:fs';
import { access, copyFile, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { RequestFailed } from '../command/client.ts';
import { fileFault } from '../command/file-fault.ts';

/** Where a schedule's files go. An existing file is replaced: after a crash a file is stored again. */
export interface Destination {
  /** Text of a small file; null when it does not exist. */
  readText(name: string): Promise<string | null>;
  /** Stores a local file durably. */
  store(name: string, file: string): Promise<void>;
  storeText(name: string, text: string): Promise<void>;
  close(): void;
}

/** Start of a bucket's address. */
export const BUCKET_SCHEME = 's3://';

export const isBucketAddress = (into: string): boolean => into.startsWith(BUCKET_SCHEME);

/** A folder, which is created when missing. */
export async function folderDestination(folder: string): Promise<Destination> {
  const failed = (error: Error): never => {
    throw new RequestFailed(`Cannot use the folder ${folder}: ${fileFault(error)}`, null, null);
  };
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(failed);
  await access(folder, constants.W_OK | constants.X_OK).catch(failed);
  /** The file gets its name once it is complete and durable. */
  const put = async (name: string, write: (part: string) => Promise<void>): Promise<void> => {
    const part = path.join(folder, `.${name}.part`);
    try {
      await write(part);
      const written = await open(part, 'r+');
      await written.sync().finally(() => written.close());
      await rename(part, path.join(folder, name));
    } catch (error) {
      await rm(part, { force: true });
      failed(error as Error);
    }
  };
  return {
    readText: async (name) => {
      try {
        return await readFile(path.join(folder, name), 'utf8');
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : failed(error as Error);
      }
    },
    store: (name, file) => put(name, (part) => copyFile(file, part)),
    storeText: (name, text) =>
      put(name, async (part) => {
        const written = await open(part, 'w', 0o600);
        await written.writeFile(text).finally(() => written.close());
      }),
    close: () => undefined,
  };
}
