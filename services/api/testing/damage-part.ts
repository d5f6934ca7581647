import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Warehouse } from '#platform/warehouse/port.ts';

interface StoredPart {
  readonly path: string;
  readonly rows: number;
}

/** Parts of a table of the embedded engine, in the order in which they were written. */
export const partsOf = (warehouse: Warehouse, table: string): Promise<StoredPart[]> =>
  warehouse.query(
    'SELECT path, rows FROM system.parts WHERE active AND table = {table:String} ORDER BY min_block_number',
    { table },
  );

/** Ways to damage the files of a part, as a disk or an interrupted copy would. */
export const PART_DAMAGE: Readonly<Record<string, (part: StoredPart) => void>> = {
  'a flipped bit': (part) =>
    change(part, (bytes) => {
      bytes[bytes.length >> 1]! ^= 1;
      return bytes;
    }),
  'a file of zeros': (part) => change(part, (bytes) => bytes.fill(0)),
  'a file that is cut off': (part) => change(part, (bytes) => bytes.subarray(0, 100)),
  'a missing part': ({ path: folder }) => renameSync(path.resolve(folder), `${path.resolve(folder)}.away`),
};

function change({ path: folder }: StoredPart, how: (bytes: Buffer) => Buffer): void {
  const file = path.join(folder, 'data.bin');
  writeFileSync(file, how(readFileSync(file)));
}
