import type { PackageBytes, PackageFiles, PackageLocation } from '#platform/packages/port.ts';
import type { Failures, Network, SimulatedProcess } from '../process.ts';

/** The folder of evidence packages shared by all processes: chunks of each file by customer and name. */
export type PackageFolder = Map<string, Map<string, Buffer[]>>;

/** The system's error for a disk that does not answer. */
const failed = (): Error => Object.assign(new Error('EIO: simulated'), { code: 'EIO' });
const failures: Failures = { refused: failed, uncertain: failed };

export const bytesOf = (pieces: readonly Buffer[]): PackageBytes => {
  const bytes = Buffer.concat(pieces);
  return {
    size: bytes.length,
    read: async (from, to) => bytes.subarray(from, to),
    close: async () => undefined,
  };
};

/** The rule of the folder on disk: a name begins with a letter or a digit, so it cannot point elsewhere. */
const NAME = /^[0-9a-z][0-9a-z.-]{0,127}$/;

/** The persistent folder, without faults. */
export function filesOf(folder: PackageFolder): PackageFiles {
  const find = ({ customerId, name }: PackageLocation): Buffer[] | undefined =>
    folder.get(customerId)?.get(name);
  return {
    write: async (file, content) => {
      const { customerId, name } = file;
      if (!NAME.test(customerId) || !NAME.test(name)) throw new RangeError('no name of a package');
      if (find(file) !== undefined) throw new Error('a package has the name of another one');
      const own = folder.get(customerId) ?? new Map<string, Buffer[]>();
      folder.set(customerId, own.set(name, []));
      // A process that dies here leaves what it has written so far.
      try {
        for await (const piece of content) find(file)?.push(Buffer.from(piece));
      } catch (error) {
        folder.get(customerId)?.delete(name);
        throw error;
      }
      if (find(file) === undefined) throw new Error('the folder was removed meanwhile');
    },
    open: async (file) => {
      const pieces = find(file);
      return pieces === undefined ? null : bytesOf(pieces);
    },
    remove: async ({ customerId, name }) => void folder.get(customerId)?.delete(name),
    removeAll: async (customerId) => void folder.delete(customerId),
    names: async (customerId) => [...(folder.get(customerId)?.keys() ?? [])].sort(),
    customers: async () => [...folder.keys()].sort(),
  };
}

/** The folder as seen by one process. */
export function packagesOfProcess(
  folder: PackageFolder,
  network: Network,
  process: SimulatedProcess,
): PackageFiles {
  const files = filesOf(folder);
  const call = <Result>(what: string, effect: () => Promise<Result>): Promise<Result> =>
    network.call(process, 'packages', what, failures, effect);
  return {
    write: async (file, content) => {
      await files.write(file, content);
      await call('flush', async () => undefined).catch(async (error: unknown) => {
        await files.remove(file);
        throw error;
      });
    },
    open: (file) => call('open', () => files.open(file)),
    remove: (file) => call('remove', () => files.remove(file)),
    removeAll: (customerId) => call('removeAll', () => files.removeAll(customerId)),
    names: (customerId) => call('names', () => files.names(customerId)),
    customers: () => call('customers', () => files.customers()),
  };
}
